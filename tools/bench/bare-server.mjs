// The yardstick: a bare `node:http` server that gives one answer from memory, whatever it is asked. Its parent says which.
import { createServer } from "node:http";

/** @type {{ status: number, headers: string[], body: Buffer }} */
let answer = { status: 204, headers: [], body: Buffer.alloc(0) };

process.on("message", (/** @type {{ status: number, headers: string[], body: string }} */ message) => {
  answer = { ...message, body: Buffer.from(message.body, "base64") };
  process.send?.({ ready: true });
});

const server = createServer((request, response) => {
  if (request.method === "POST") request.on("data", () => {}).on("end", () => write(response));
  else write(response);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : 0 });
});

/** @param {import("node:http").ServerResponse} response */
function write(response) {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}
