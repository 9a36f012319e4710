import type { Server } from "node:http";
import type { Backend } from "../backend.server";
import { describeError, log, logProblem } from "../log.server";

/** Requests under way get this long to finish. */
const patienceMs = 10_000;

/** On SIGTERM or SIGINT: takes no more requests, lets those under way finish, closes the backend cleanly, ends. */
export function stopOnSignal(server: Server, backend: Backend): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log({ event: "server.stopping", signal });
    const impatient = setTimeout(() => server.closeAllConnections(), patienceMs);
    server.close(async () => {
      clearTimeout(impatient);
      try {
        await backend.close();
        log({ event: "server.stopped" });
        process.exit(0);
      } catch (error) {
        logProblem({ event: "server.stop-failed", ...describeError(error) });
        process.exit(1);
      }
    });
    server.closeIdleConnections();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
