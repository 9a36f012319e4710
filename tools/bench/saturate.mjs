// Keeps a server busy: 32 connections, each with one request at a time. It writes to raw sockets, because an HTTP client
// costs more than the bare server. Its parent process gives the plan, and receives the number of responses.
import { connect } from "node:net";

/** @typedef {{ port: number, seconds: number, requests: import("./requests.mjs").KnownRequest[] }} SaturationPlan */

const connections = 32;
let count = 0;

process.once("message", (/** @type {SaturationPlan} */ { port, seconds, requests }) => {
  const prepared = requests.map(({ path, headers }) => {
    const fields = Object.entries({ Host: `localhost:${port}`, ...headers }).map((field) => `${field.join(": ")}\r\n`);
    return Buffer.from(`GET ${path} HTTP/1.1\r\n${fields.join("")}\r\n`);
  });
  const statuses = new Set(requests.map(({ status }) => status));
  for (let client = 0; client < connections; client++)
    keepAsking(port, prepared, statuses, Math.floor((prepared.length * client) / connections));
  setTimeout(() => process.send?.(count, () => process.exit()), seconds * 1000);
});

/**
 * Sends the requests in turn over one connection.
 * @param {number} port @param {Buffer[]} requests @param {Set<number>} statuses @param {number} turn the first request
 */
function keepAsking(port, requests, statuses, turn) {
  /** Bytes of the present response that have yet to arrive. */
  let missing = 0;
  const callback = (/** @type {number} */ length, /** @type {Uint8Array} */ bytes) => {
    if (missing === 0) missing = measure(Buffer.from(bytes.buffer, bytes.byteOffset, length), statuses);
    missing -= length;
    if (missing === 0) {
      count += 1;
      askNext();
    }
    return true;
  };
  // One buffer for all that arrives: new ones would cost more than the rest.
  const socket = connect({ port, host: "127.0.0.1", onread: { buffer: Buffer.alloc(65_536), callback } }, askNext);
  function askNext() {
    socket.write(requests[turn++ % requests.length] ?? "");
  }
}

/** @param {Buffer} start of a response @param {Set<number>} statuses @returns {number} bytes of the whole */
function measure(start, statuses) {
  const text = start.toString("latin1", 0, 4_096);
  const headEnd = text.indexOf("\r\n\r\n") + 4;
  const status = Number(text.slice(9, 12));
  if (headEnd < 4 || !statuses.has(status)) throw new Error(`Unexpected response: ${text.slice(0, 200)}`);
  return headEnd + (status === 304 ? 0 : Number(/^content-length: (\d+)/im.exec(text)?.[1]));
}
