import { once } from "node:events";
import { connect, createServer } from "node:net";

/** What one TCP segment carries on an Ethernet. */
const segmentBytes = 1_460;

/**
 * A connection as phones have it, between a browser and a server of this machine: whatever passes takes its time, that
 * which a browser fetches ahead as well, which the DevTools' own throttling may not see.
 * @param {number} target port of the server
 * @param {{ roundTripMs: number, downKilobitsPerSecond: number, upKilobitsPerSecond: number }} speed of all connections together
 * @returns {Promise<{ port: number, close(): void }>}
 */
export async function startSlowLink(target, { roundTripMs, downKilobitsPerSecond, upKilobitsPerSecond }) {
  const sendDown = makeLine(downKilobitsPerSecond, roundTripMs / 2);
  const sendUp = makeLine(upKilobitsPerSecond, roundTripMs / 2);
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  const server = createServer((browser) => {
    const site = connect(target, "127.0.0.1");
    for (const socket of [browser, site]) {
      sockets.add(socket.setNoDelay());
      socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket));
    }
    // The handshake takes a round trip of its own before the first byte can leave.
    let handshakeMs = roundTripMs;
    browser.on("data", (data) => {
      sendUp(site, data, handshakeMs);
      handshakeMs = 0;
    });
    site.on("data", (data) => sendDown(browser, data, 0));
    browser.once("close", () => site.destroy());
    site.once("close", () => setTimeout(() => browser.destroy(), roundTripMs));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** @param {number} kilobitsPerSecond @param {number} delayMs */
function makeLine(kilobitsPerSecond, delayMs) {
  let freeAt = 0;
  /** @param {import("node:net").Socket} socket @param {Buffer} data @param {number} waitMs */
  return (socket, data, waitMs) => {
    for (let at = 0; at < data.length; at += segmentBytes) {
      const segment = data.subarray(at, at + segmentBytes);
      const now = performance.now();
      freeAt = Math.max(freeAt, now + waitMs) + (segment.length * 8) / kilobitsPerSecond;
      setTimeout(() => socket.writable && socket.write(segment), freeAt - now + delayMs);
    }
  };
}
