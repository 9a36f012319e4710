import type { Server } from "node:http";
import { Server as ConnectionServer, type Socket } from "node:net";
import { setImmediate as afterPendingInput, setTimeout as wait } from "node:timers/promises";
import { withTimeout } from "~/lib/with-timeout";
import type { ReservedBackend } from "../backend.server";
import { beginDraining } from "../health.server";
import { describeError, log, logProblem } from "../log.server";

/** Requests under way get this long to finish. */
const patienceMs = 10_000;

/** A client that is busy on its connection sends its next request within this time, and learns that it was the last. */
const lastWordMs = 500;

/**
 * On SIGTERM or SIGINT: says so on /readyz and goes on for a while, takes no more connections, answers what is still sent
 * on those there are, closes the backend, ends. No request is lost whose connection had been taken; a client whose
 * connection stands idle for the whole time sees it closed, as at any keep-alive timeout. A backend that is still being
 * opened is given up. Call it before the server listens.
 * @param drainSeconds how long an orchestrator takes to notice
 * @returns `hangUp`, which ends the server in the same way without a signal, and leaves the backend alone
 */
export function stopOnSignal(
  server: Server,
  backend: ReservedBackend,
  drainSeconds: number,
): { hangUp(): Promise<void> } {
  const connections = watchConnections(server);
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    beginDraining();
    log({ event: "server.stopping", signal, drainSeconds });
    try {
      await wait(drainSeconds * 1000);
      await closeGently(server, connections);
      await backend.close();
      log({ event: "server.stopped" });
      process.exit(0);
    } catch (error) {
      logProblem({ event: "server.stop-failed", ...describeError(error) });
      process.exit(1);
    }
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  return {
    hangUp: () => {
      beginDraining();
      return closeGently(server, connections);
    },
  };
}

/**
 * Each closing waits for the end of a turn of the event loop: after a long task, connections may stand in the kernel that
 * have not been taken yet, and requests that have not been read, and closing would answer both with a reset.
 */
async function closeGently(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  await afterPendingInput();
  const closed = new Promise<true>((resolve) => {
    // Not the HTTP server's own close: it hangs up on every connection that is between two requests, though the next
    // one may be on the wire already.
    ConnectionServer.prototype.close.call(server, () => resolve(true));
  });
  let isClosed = await withTimeout(closed, lastWordMs, () => false);
  const deadline = performance.now() + patienceMs;
  while (!isClosed && performance.now() < deadline) {
    await afterPendingInput();
    server.closeIdleConnections();
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    isClosed = await withTimeout(closed, 50, () => false);
  }
  server.closeAllConnections();
  await closed;
}

/** Node tells which connections are idle, but not which have never said a word: browsers open some in advance. */
function watchConnections(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  return connections;
}
