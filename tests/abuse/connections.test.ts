import { once } from "node:events";
import { Agent } from "node:http";
import { type Socket, connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { startProduct } from "../support/product";
import { get } from "./watch-site";

/** More than one address may keep open (connection-limits.server.ts). */
const wanted = 560;
const maxPerPeer = 500;

it.each([
  ["has a share of the connections", "0", maxPerPeer],
  ["may have them all when it is a proxy's", "1", wanted],
])("one address %s, and others get in", async (_what, trustedProxies, most) => {
  const product = await startProduct({ TRUSTED_PROXIES: trustedProxies });
  const sockets = await Promise.all(Array.from({ length: wanted }, () => open(product.url)));
  try {
    await wait(500);
    expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(most);
    expect((await get(`${product.url}/healthz`, new Agent(), "127.0.0.9")).status).toBe(200);
  } finally {
    for (const socket of sockets) socket.destroy();
    await product.stop();
  }
});

/** A connection on which nothing is said. */
async function open(url: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: "127.0.0.5" });
  // Whether the other side ends it or resets it, it is gone.
  socket.on("error", () => socket.destroy());
  socket.resume();
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  return socket;
}
