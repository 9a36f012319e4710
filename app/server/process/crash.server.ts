import { type Log, describeError } from "../observability/log.server";

/**
 * Logs an uncaught error in one line, and exits with status 1. By default, Node prints the error's message, and
 * messages can quote visitors.
 */
export function exitOnCrash(log: Log): void {
  process.on("uncaughtException", (error) => {
    log.error({ event: "process.crashed", ...describeError(error) });
    process.exit(1);
  });
}
