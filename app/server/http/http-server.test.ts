import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type AddressInfo, Socket, connect } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { parseSettings } from "../config/settings.server";
import { createSiteContext } from "../site-context.server";
import { createHttpServer } from "./http-server.server";

const timeouts = { headers: 200, reader: 300, connectionCheck: 50, lastRequest: 0, shutdown: 0 };
const get = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

async function start(listener: RequestListener, trustedProxies = "0") {
  const statuses: number[] = [];
  const requests = { record: ({ status }: { status: number }) => void statuses.push(status), begin: () => () => {} };
  const parts = { noteRefusal: () => {}, defaultHeaders: { "X-Usual": "yes" }, requests };
  const context = createSiteContext(parseSettings({ TRUSTED_PROXIES: trustedProxies }), { timeouts });
  const { server, closeServer } = createHttpServer(context, listener, parts);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(closeServer);
  const open = (bytes: string): Socket => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1", () => socket.write(bytes));
    // A reset is a disconnection as well.
    return socket.on("error", () => {});
  };
  return { server, open, statuses, countConnections: promisify(server.getConnections.bind(server)) };
}

it("responds 408 with the default headers to a head that takes too long, and closes the connection", async () => {
  const site = await start(() => {});
  const received = await text(site.open("GET / HTTP/1.1\r\nX-Slow: "));
  expect(received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nX-Usual: yes\r\n/);
  expect(site.statuses).toEqual([408]);
});

it("disconnects clients that never read a response", async () => {
  let begun = 0;
  const site = await start((_request, response) => {
    begun += 1;
    response.end(Buffer.alloc(50_000_000));
  });
  for (let count = 0; count < 5; count++) site.open(get).pause();
  await expect.poll(() => begun).toBe(5);
  await expect.poll(site.countConnections, { timeout: 20_000 }).toBe(0);
});

it.each([
  ["17", 17, true],
  ["more than 17", 30, false],
])("responds to %s pipelined requests one by one: %s", async (_case, count, isServed) => {
  let [running, most] = [0, 0];
  const site = await start((_request, response) => {
    most = Math.max(most, ++running);
    setImmediate(() => {
      running -= 1;
      response.end("fine");
    });
  });
  let received = "";
  const socket = site.open(get.repeat(count - 1) + get.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
  socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
  await once(socket, "close");
  expect(received.split("HTTP/1.1 200 ").length - 1 === count).toBe(isServed);
  expect(most).toBe(1);
});

it.each([
  ["limits the connections of one client", "0", 500],
  ["lets a trusted proxy use all connections", "1", 560],
])("%s", async (_case, trustedProxies, most) => {
  const { server } = await start(() => {}, trustedProxies);
  const sockets = Array.from({ length: 560 }, () => {
    const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: "192.0.2.1" });
    server.emit("connection", socket);
    return socket;
  });
  expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(most);
  for (const socket of sockets) socket.destroy();
});
