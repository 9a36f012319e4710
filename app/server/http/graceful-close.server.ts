import type { Server } from "node:http";
import { Server as ConnectionServer, type Socket } from "node:net";
import { setImmediate as afterPendingInput } from "node:timers/promises";
import { withTimeout } from "~/lib/with-timeout";
import type { Timeouts } from "../config/timeouts.server";

/**
 * Prepares the graceful shutdown of a server: it accepts no more connections, and responds to requests on open ones. No
 * request on an accepted connection is lost. A client whose connection is idle the whole time sees it closed, as after
 * any keep-alive timeout.
 * @returns a function that closes the server and resolves once no connection is left
 */
export function prepareClose(
  server: Server,
  connections: ReadonlySet<Socket>,
  timeouts: Pick<Timeouts, "lastRequest" | "shutdown">,
): () => Promise<void> {
  return () => closeGently(server, connections, timeouts);
}

/**
 * Waits for the end of an event loop turn before each close. After a long task, the kernel may hold connections that
 * are not accepted yet and requests that are not read yet, and closing would reset both.
 */
async function closeGently(
  server: Server,
  connections: ReadonlySet<Socket>,
  timeouts: Pick<Timeouts, "lastRequest" | "shutdown">,
): Promise<void> {
  await afterPendingInput();
  const closed = new Promise<true>((resolve) => {
    // Not the HTTP server's own `close`: it closes every connection that is between two requests, although the next
    // request may already be in transit.
    ConnectionServer.prototype.close.call(server, () => resolve(true));
  });
  let isClosed = await withTimeout(closed, timeouts.lastRequest, () => false);
  const deadline = performance.now() + timeouts.shutdown;
  while (!isClosed && performance.now() < deadline) {
    await afterPendingInput();
    server.closeIdleConnections();
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    isClosed = await withTimeout(closed, 50, () => false);
  }
  server.closeAllConnections();
  // Node no longer tracks connections that were upgraded or detached.
  for (const socket of connections) socket.destroy();
  await withTimeout(closed, 1_000, () => false);
}
