import { type Log, describeError } from "../observability/log.server";

/**
 * Ends the process over an error that nobody caught, and says so in one line. Left to itself, Node prints the message of
 * the error, and messages can quote visitors.
 */
export function endOnCrash(log: Log): void {
  process.on("uncaughtException", (error) => {
    log.error({ event: "process.crashed", ...describeError(error) });
    process.exit(1);
  });
}
