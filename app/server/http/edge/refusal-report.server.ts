import type { Log } from "../../observability/log.server";
import type { CapacityRefusal } from "../../observability/product-metrics.server";

/** Records one refused or closed connection or post. */
export type NoteRefusal = (cause: CapacityRefusal) => void;

/** The first refusals are reported together, one second after the first. */
const firstReportMs = 1_000;
const reportEveryMs = 60_000;

/**
 * Creates the report of connections and posts that the edge closes or refuses for lack of a slot. It counts each one,
 * and logs one line per minute and cause, so that an attack cannot fill the log.
 */
export function createRefusalReport(log: Log, count: (cause: CapacityRefusal) => void): NoteRefusal {
  const refusals = new Map<CapacityRefusal, number>();
  let timer: NodeJS.Timeout | undefined;
  let reportedAt = -Infinity;

  function report(): void {
    timer = undefined;
    reportedAt = performance.now();
    for (const [cause, refused] of refusals) log.error({ event: "places.refused", cause, count: refused });
    refusals.clear();
  }

  return (cause) => {
    count(cause);
    refusals.set(cause, (refusals.get(cause) ?? 0) + 1);
    const waitMs = Math.max(firstReportMs, reportedAt + reportEveryMs - performance.now());
    timer ??= setTimeout(report, waitMs).unref();
  };
}
