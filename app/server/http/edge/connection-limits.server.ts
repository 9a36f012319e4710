import type { Server } from "node:http";
import type { Log } from "../../observability/log.server";
import type { Connections } from "./connections.server";

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
export function limitConnections(server: Server, connections: Connections, isPeerClient: boolean, log: Log): void {
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
  server.on("connection", (socket) => {
    if (connections.fromPeerOf(socket).size <= maxPerPeer) return;
    countRefused();
    socket.destroy();
  });
}
