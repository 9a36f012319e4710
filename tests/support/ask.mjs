import { Agent, request as sendRequest } from "node:http";
import { buffer } from "node:stream/consumers";

/**
 * Sends one request on a connection of its own, for the answer itself.
 * @param {number} port of this machine @param {{ method?: string, path: string, headers?: Record<string, string>, body?: string }} request
 * @returns {Promise<{ status: number, headers: string[], body: Buffer, bytes: number }>} `headers` as `rawHeaders` of
 *   `node:http`; `body` as it travelled, not unpacked; `bytes` is all of the answer on the wire
 */
export function ask(port, { method = "GET", path, headers = {}, body }) {
  // Kept, as a browser asks for it; else the answer would have one header less.
  const agent = new Agent({ keepAlive: true });
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) };
    const options = { host: "localhost", port, method, path, agent, headers: { ...headers, ...length } };
    const sent = sendRequest(options, async (answer) => {
      const { statusCode: status = 0, rawHeaders, socket } = answer;
      try {
        resolve({ status, headers: rawHeaders, body: await buffer(answer), bytes: socket.bytesRead });
      } catch (error) {
        reject(error);
      } finally {
        agent.destroy();
      }
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
