import type { Server } from "node:http";
import { rateLimitKey } from "~/lib/http/client-address";
import type { Log } from "../../observability/log.server";

/** An idle connection takes some 10 kB, so that this many take no more than 20 MB. */
const maxConnections = 2_000;
/** A browser opens six, and behind the address of an office stand some dozens of them. */
const maxPerPeer = 500;
/** At most one line in this time says that connections were refused. */
const reportEveryMs = 60_000;

/**
 * Bounds how many connections are open, so that memory and file descriptors last for everybody.
 * @param isPeerClient whether the other end of a connection is the client's own machine. Behind a proxy all visitors
 *   share the proxy's address: there only the total is bounded.
 */
export function limitConnections(server: Server, isPeerClient: boolean, log: Log): void {
  let refused = 0;
  let reporting: NodeJS.Timeout | undefined;
  const countRefused = () => {
    refused += 1;
    reporting ??= setTimeout(() => {
      log.error({ event: "connections.refused", count: refused });
      reporting = undefined;
      refused = 0;
    }, reportEveryMs).unref();
  };

  server.maxConnections = maxConnections;
  server.on("drop", countRefused);
  if (!isPeerClient) return;
  const openByPeer = new Map<string, number>();
  server.on("connection", (socket) => {
    const peer = rateLimitKey(socket.remoteAddress ?? "");
    const open = openByPeer.get(peer) ?? 0;
    if (open >= maxPerPeer) {
      countRefused();
      socket.destroy();
      return;
    }
    openByPeer.set(peer, open + 1);
    socket.once("close", () => {
      const left = (openByPeer.get(peer) ?? 1) - 1;
      if (left === 0) openByPeer.delete(peer);
      else openByPeer.set(peer, left);
    });
  });
}
