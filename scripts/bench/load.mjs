// Sends requests as fast as a server answers them. Every connection sends one, waits for the whole answer, sends the next.
// It writes ready-made bytes to plain sockets and looks at no more of an answer than where it ends, so that it costs far
// less than the servers it measures; and it counts in microseconds, which a ratio of short times needs.
import { connect } from "node:net";
import { createHistogram } from "node:perf_hooks";
import { createAnswerReader } from "./answer-reader.mjs";

/**
 * What one run of a server came to.
 * @typedef {{ requests: number, perSecond: number, p50Ms: number, p99Ms: number, statuses: Record<number, number> }} LoadResult
 */

/**
 * Loads a server on this machine.
 * @param {{ port: number, seconds: number, connections: number, nextRequest: () => Buffer }} plan `nextRequest` gives the
 *   bytes of the request to send next
 * @returns {Promise<LoadResult>}
 * @throws when a connection fails or ends
 */
export async function load({ port, seconds, connections, nextRequest }) {
  const histogram = createHistogram();
  /** @type {Record<number, number>} */
  const statuses = {};
  const begin = performance.now();
  const end = begin + seconds * 1000;
  await Promise.all(Array.from({ length: connections }, () => keepAsking()));
  const elapsed = (performance.now() - begin) / 1000;
  return {
    requests: histogram.count,
    perSecond: histogram.count / elapsed,
    p50Ms: histogram.percentile(50) / 1000,
    p99Ms: histogram.percentile(99) / 1000,
    statuses,
  };

  /** @returns {Promise<void>} */
  function keepAsking() {
    return new Promise((resolve, reject) => {
      let askedAt = 0;
      const read = createAnswerReader((status) => {
        const now = performance.now();
        histogram.record(Math.max(1, Math.round((now - askedAt) * 1000)));
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (now < end) ask();
        else socket.end(resolve);
      });
      // One buffer for all that comes, instead of a new one for every piece.
      const onread = { buffer: Buffer.alloc(64 * 1024), callback };
      const socket = connect({ port, host: "127.0.0.1", noDelay: true, onread }, ask);
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("The server closed a connection during the run.")));

      /** @param {number} length @param {Uint8Array} buffer */
      function callback(length, buffer) {
        read(/** @type {Buffer} */ (buffer).subarray(0, length));
        return true;
      }

      function ask() {
        askedAt = performance.now();
        socket.write(nextRequest());
      }
    });
  }
}

/**
 * Asks once, for the answer itself.
 * @param {number} port @param {Buffer} request
 * @returns {Promise<{ status: number, head: string, body: Buffer, bytes: number }>} `body` as it travelled, without the
 *   framing of chunks; `bytes` is all of the answer on the wire
 */
export function askOnce(port, request) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    let bytes = 0;
    const read = createAnswerReader((status, head, body) => {
      socket.destroy();
      resolve({ status, head, body, bytes });
    }, true);
    socket.on("data", (chunk) => {
      bytes += chunk.length;
      read(chunk);
    });
    socket.once("error", reject);
  });
}

/**
 * The bytes of a request as a browser would send it.
 * @param {{ method?: string, path: string, host: string, headers?: Record<string, string>, body?: string }} parts
 */
export function writeRequest({ method = "GET", path, host, headers = {}, body }) {
  const lines = {
    Host: host,
    ...headers,
    ...(body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) }),
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${body ?? ""}`);
}
