import { Agent, request as sendRequest } from "node:http";
import { createHistogram } from "node:perf_hooks";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { idPlaceholder } from "../requests/requests.mjs";

/**
 * What came of requests that did not wait for one another.
 * @typedef {{ count: number, refused: number, p50Ms: number, p99Ms: number, maxMs: number }} FixedRateResult `refused`: how
 *   many were answered with another status than theirs
 */

/** The product takes 500 from one address; what finds none free waits, and its time counts. */
const maxSockets = 100;

/**
 * Sends requests at a fixed rate, whether or not earlier ones have been answered (an open loop, as visitors are): a server that
 * stalls for a moment keeps all of those waiting that come in it. wrk has no rate, and autocannon sends a second's requests at once.
 * @param {{ port: number, perSecond: number, request: import("../requests/requests.mjs").KnownRequest, until: Promise<unknown> }} plan
 *   sends until `until` is settled
 * @returns {Promise<FixedRateResult>} times from when a request was due to the last byte of its answer
 * @throws when a request has no answer
 */
export async function sendAtRate({ port, perSecond, request, until }) {
  const agent = new Agent({ keepAlive: true, maxSockets });
  const histogram = createHistogram();
  /** @type {Promise<void>[]} */
  const sent = [];
  const over = new AbortController();
  /** @type {unknown[]} */
  const failures = [];
  const fail = (/** @type {unknown} */ failure) => {
    failures.push(failure);
    over.abort();
  };
  void until.then(() => over.abort(), fail);
  let refused = 0;
  const record = async (/** @type {number} */ due) => {
    const status = await send(agent, port, request);
    histogram.record(toMicroseconds(performance.now() - due));
    if (status !== request.status) refused += 1;
  };
  const startedAt = performance.now();
  try {
    while (!over.signal.aborted) {
      const due = startedAt + (sent.length * 1000) / perSecond;
      if (due > performance.now()) await wait(1);
      else {
        sent.push(record(due).catch(fail));
        // Also when it is late, so that answers are read meanwhile.
        await nextTurn();
      }
    }
    await Promise.all(sent);
    if (failures.length > 0) throw failures[0];
  } finally {
    agent.destroy();
  }
  const at = (/** @type {number} */ percent) => histogram.percentile(percent) / 1000;
  return { count: histogram.count, refused, p50Ms: at(50), p99Ms: at(99), maxMs: histogram.max / 1000 };
}

/**
 * @param {Agent} agent @param {number} port @param {import("../requests/requests.mjs").KnownRequest} request
 * @returns {Promise<number | undefined>} the answer's status, once all of it is there
 */
function send(agent, port, { method = "GET", path, headers = {}, body }) {
  const text = body?.replaceAll(idPlaceholder, crypto.randomUUID());
  const length = text === undefined ? {} : { "Content-Length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const options = { host: "localhost", port, method, path, agent, headers: { ...headers, ...length } };
    const sending = sendRequest(options, (answer) => {
      answer
        .resume()
        .once("end", () => resolve(answer.statusCode))
        .on("error", reject);
    });
    sending.on("error", reject).end(text);
  });
}

const toMicroseconds = (/** @type {number} */ ms) => Math.max(1, Math.round(ms * 1000));
