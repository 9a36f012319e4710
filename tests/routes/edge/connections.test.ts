import { once } from "node:events";
import { Agent } from "node:http";
import { type Socket, connect } from "node:net";
import { expect, it } from "vitest";
import { get } from "../../abuse/watch-site";
import { startSite } from "../../support/site";

/** More connections than one address may keep open (connection-limits.server.ts). */
const attempted = 560;
const maxPerPeer = 500;

it.each([
  ["is limited to its share of the connections", "0", maxPerPeer],
  ["may use all connections as a trusted proxy", "1", attempted],
])("one address %s, and others can connect", async (_name, trustedProxies, most) => {
  const site = await startSite({ TRUSTED_PROXIES: trustedProxies });
  const sockets = await Promise.all(Array.from({ length: attempted }, () => open(site.url)));
  const countOpen = () => sockets.filter(({ destroyed }) => !destroyed).length;
  try {
    // Connections are accepted one by one: at this response, each earlier one has been accepted or refused.
    expect((await get(`${site.url}/healthz`, new Agent(), "127.0.0.9")).status).toBe(200);
    await expect.poll(countOpen).toBe(most);
    expect((await get(`${site.url}/healthz`, new Agent(), "127.0.0.9")).status).toBe(200);
    expect(countOpen()).toBe(most);
  } finally {
    for (const socket of sockets) socket.destroy();
    await site.stop();
  }
});

/** Opens an idle connection. */
async function open(url: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", localAddress: "127.0.0.5" });
  // The connection is gone whether the other side ends or resets it.
  socket.on("error", () => socket.destroy());
  socket.resume();
  await Promise.race([once(socket, "connect"), once(socket, "close")]);
  return socket;
}
