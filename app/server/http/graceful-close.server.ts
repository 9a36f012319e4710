import type { Server } from "node:http";
import { Server as ConnectionServer, type Socket } from "node:net";
import { setImmediate as afterPendingInput } from "node:timers/promises";
import { withTimeout } from "~/lib/with-timeout";
import type { Timeouts } from "../config/timeouts.server";

/**
 * Makes the graceful end of a server: it takes no more connections, and answers what is still sent on those there are. No
 * request is lost whose connection had been taken; a client whose connection stands idle for the whole time sees it
 * closed, as at any keep-alive timeout.
 * @returns ends the server; it resolves once no connection is left
 */
export function prepareClose(
  server: Server,
  connections: ReadonlySet<Socket>,
  timeouts: Pick<Timeouts, "lastRequest" | "shutdown">,
): () => Promise<void> {
  return () => closeGently(server, connections, timeouts);
}

/**
 * Each closing waits for the end of a turn of the event loop: after a long task, connections may stand in the kernel that
 * have not been taken yet, and requests that have not been read, and closing would answer both with a reset.
 */
async function closeGently(
  server: Server,
  connections: ReadonlySet<Socket>,
  timeouts: Pick<Timeouts, "lastRequest" | "shutdown">,
): Promise<void> {
  await afterPendingInput();
  const closed = new Promise<true>((resolve) => {
    // Not the HTTP server's own close: it hangs up on every connection that is between two requests, though the next
    // one may be on the wire already.
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
  // Node forgets a connection that was upgraded or detached.
  for (const socket of connections) socket.destroy();
  await withTimeout(closed, 1_000, () => false);
}
