// The baseline: a bare `node:http` server that sends prepared responses from memory, one after the other, at any
// address. Its parent process sends it the responses.
import { createServer } from "node:http";

/** @type {{ status: number, headers: string[], body: Buffer }[]} */
let responses = [];
let turn = 0;

process.on("message", (/** @type {{ status: number, headers: string[], body: string }[]} */ given) => {
  // Store each body only once, as the product does: copies would not fit the processor's cache.
  const bodies = new Map(given.map(({ body }) => [body, Buffer.from(body, "base64")]));
  responses = given.map((response) => ({ ...response, body: bodies.get(response.body) ?? Buffer.alloc(0) }));
  turn = 0;
  process.send?.({ ready: true });
});

const server = createServer((_request, response) => {
  const next = responses[turn++ % responses.length];
  response.writeHead(next?.status ?? 500, next?.headers).end(next?.body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" ? address?.port : 0 });
});
