import { Agent, request as sendRequest } from "node:http";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import autocannon from "autocannon";

/** @typedef {import("./requests.mjs").KnownRequest} KnownRequest */

/**
 * autocannon replaces this in a body by a text that is unique per request: the site accepts an identical message only
 * once.
 */
export const idPlaceholder = "[<id>]";

/**
 * Loads a server on this machine: every connection sends a request, waits for the complete response and sends the next
 * one.
 * @param {{ port: number, seconds: number, connections: number, requests: KnownRequest[] }} plan
 * @returns `count` of all responses, accepted ones per second, and the number `refused` with an unexpected status
 * @throws when a connection fails, or a request has no response within ten seconds
 */
export async function load({ port, seconds, connections, requests }) {
  let nextClient = 0;
  const result = await autocannon({
    url: `http://localhost:${port}`,
    duration: seconds,
    connections,
    idReplacement: requests.some(({ body }) => body?.includes(idPlaceholder)),
    requests: requests.slice(0, 1),
    setupClient(client) {
      // Each connection starts at a different position in the list.
      const position = Math.floor((requests.length * nextClient++) / connections);
      client.setRequests([...requests.slice(position), ...requests.slice(0, position)]);
    },
  });
  if (result.errors > 0) throw new Error(`${result.errors} requests had no response.`);
  let accepted = 0;
  for (const status of new Set(requests.map((request) => request.status)))
    accepted += result.statusCodeStats?.[`${status}`]?.count ?? 0;
  const { total: count } = result.requests;
  return { count, refused: count - accepted, perSecond: accepted / result.duration, p99Ms: result.latency.p99 };
}

/**
 * Sends requests at a fixed rate, as visitors do: a server that stalls for a moment delays everyone who arrives during
 * the stall. autocannon cannot do that, because it sends a second's requests together.
 * @param {{ port: number, perSecond: number, seconds: number, request: KnownRequest }} plan
 * @returns the 99th percentile of the milliseconds from the due time of a request to the end of its response
 */
export async function sendAtRate({ port, perSecond, seconds, request }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  const startedAt = performance.now();
  /** @type {Promise<number>[]} */
  const sent = [];
  try {
    while (sent.length < perSecond * seconds) {
      const due = startedAt + (sent.length * 1000) / perSecond;
      if (due > performance.now()) await wait(1);
      else {
        sent.push(send(agent, port, request, due));
        // Read responses meanwhile, even when this loop is late.
        await nextTurn();
      }
    }
    const times = (await Promise.all(sent)).toSorted((a, b) => a - b);
    return times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;
  } finally {
    agent.destroy();
  }
}

/**
 * Sends one request.
 * @param {Agent} agent @param {number} port @param {KnownRequest} request @param {number} due
 * @returns {Promise<number>} milliseconds since `due`; Infinity for a rejected or failed request
 */
function send(agent, port, request, due) {
  return new Promise((resolve) => {
    const fail = () => resolve(Infinity);
    const sending = sendRequest({ host: "localhost", port, agent, ...request }, (response) => {
      if (response.statusCode !== request.status) fail();
      response.resume().once("error", fail);
      response.once("end", () => resolve(performance.now() - due));
    });
    sending.once("error", fail).end(request.body?.replaceAll(idPlaceholder, crypto.randomUUID()));
  });
}
