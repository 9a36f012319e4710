import { once } from "node:events";
import { Agent } from "node:http";
import { type Socket, connect } from "node:net";
import { expect, it } from "vitest";
import { get } from "../../abuse/watch-site";
import { startSite } from "../../support/site";

/** More than one address may keep open (connection-limits.server.ts). */
const wanted = 560;
const maxPerPeer = 500;

it.each([
  ["has a share of the connections", "0", maxPerPeer],
  ["may have them all when it is a proxy's", "1", wanted],
])("one address %s, and others get in", async (_what, trustedProxies, most) => {
  const site = await startSite({ TRUSTED_PROXIES: trustedProxies });
  const sockets = await Promise.all(Array.from({ length: wanted }, () => open(site.url)));
  const countOpen = () => sockets.filter(({ destroyed }) => !destroyed).length;
  try {
    // Connections are accepted one after the other: by the time this one is answered, each before it has been kept or refused.
    expect((await get(`${site.url}/healthz`, new Agent(), "127.0.0.9")).status).toBe(200);
    await expect.poll(countOpen).toBe(most);
    expect((await get(`${site.url}/healthz`, new Agent(), "127.0.0.9")).status).toBe(200);
    expect(countOpen()).toBe(most);
  } finally {
    for (const socket of sockets) socket.destroy();
    await site.stop();
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
