import type { Log } from "../../observability/log.server";
import type { PlaceRefusal } from "../../observability/product-metrics.server";

/** Notes one connection or one post that had to go. */
export type NoteRefusal = (cause: PlaceRefusal) => void;

/** The first refusals are reported together, soon after they begin. */
const firstReportMs = 1_000;
const reportEveryMs = 60_000;

/**
 * Creates the report of what the edge closes or refuses for want of a place. Each is counted, and the log has one line a
 * minute and cause: an attack must not fill it.
 */
export function createRefusalReport(log: Log, count: (cause: PlaceRefusal) => void): NoteRefusal {
  const refusals = new Map<PlaceRefusal, number>();
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
