// The yardstick: a bare `node:http` server that gives prepared answers from memory, one after the other, whatever it is asked. Its
// parent says which.
import { createServer } from "node:http";

/** @typedef {{ status: number, headers: string[], body: number }} Prepared `body`: its place among the bodies */

/** @type {{ status: number, headers: string[], body: Buffer }[]} */
let answers = [{ status: 204, headers: [], body: Buffer.alloc(0) }];
let turn = 0;

process.on("message", (/** @type {{ answers: Prepared[], bodies: string[] }} */ given) => {
  const bodies = given.bodies.map((body) => Buffer.from(body, "base64"));
  answers = given.answers.map((answer) => ({ ...answer, body: bodies[answer.body] ?? Buffer.alloc(0) }));
  turn = 0;
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
  if (turn === answers.length) turn = 0;
  const answer = answers[turn++];
  response.writeHead(answer?.status ?? 500, answer?.headers);
  response.end(answer?.body);
}
