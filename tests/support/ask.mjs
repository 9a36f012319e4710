import { Agent, request as sendRequest } from "node:http";
import { buffer } from "node:stream/consumers";

/**
 * Sends one request on a new connection and returns the raw response.
 * @param {number} port on this machine
 * @param {{ method?: string, path: string, headers?: Record<string, string>, body?: string }} request
 * @returns {Promise<{ status: number, headers: string[], body: Buffer, bytes: number }>} `headers` like `rawHeaders` of
 *   `node:http`; `body` as transferred, still compressed; `bytes` counts the whole response on the wire
 */
export function ask(port, { method = "GET", path, headers = {}, body }) {
  // Keep-alive, as browsers request it; without it the response would lack a header.
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
