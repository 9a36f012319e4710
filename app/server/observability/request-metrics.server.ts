import type { Metric, Sample } from "./prometheus-format.server";
import type { AnsweredRequest } from "./access-log.server";

/** Upper bounds in seconds: a page from memory takes less than the first, a backend that hangs as much as the last. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Plain numbers in arrays, not objects found by their labels: this runs for every page that comes from memory. */
interface RouteFigures {
  /** by the status' first digit */
  byClass: Float64Array;
  /** not cumulative; the last is for all that took longer than the highest bound */
  byDuration: Float64Array;
  seconds: number;
  prefetches: number;
}

/** Figures of one site's requests. */
export interface RequestMetrics {
  /** There are as many series as routes, which are patterns. */
  count(request: Pick<AnsweredRequest, "route" | "status" | "durationMs" | "prefetch">): void;
  /** how many requests there were, and how long they took, by route pattern */
  list: Metric[];
}

/** Makes figures that begin at 0. */
export function createRequestMetrics(): RequestMetrics {
  const routes = new Map<string, RouteFigures>();
  return {
    count({ route, status, durationMs, prefetch }) {
      const seconds = durationMs / 1000;
      let figures = routes.get(route);
      if (figures === undefined) {
        figures = {
          byClass: new Float64Array(6),
          byDuration: new Float64Array(bounds.length + 1),
          seconds: 0,
          prefetches: 0,
        };
        routes.set(route, figures);
      }
      const { byClass, byDuration } = figures;
      const statusClass = Math.trunc(status / 100);
      byClass[statusClass] = (byClass[statusClass] ?? 0) + 1;
      let slot = 0;
      while (slot < bounds.length && seconds > (bounds[slot] ?? Infinity)) slot++;
      byDuration[slot] = (byDuration[slot] ?? 0) + 1;
      figures.seconds += seconds;
      if (prefetch) figures.prefetches += 1;
    },
    list: [
      {
        name: "site_http_requests_total",
        help: "Requests answered, by route pattern and status class.",
        type: "counter",
        *read() {
          for (const [route, { byClass }] of routes) {
            for (const [digit, value] of byClass.entries()) {
              if (value > 0) yield { labels: { route, status: `${digit}xx` }, value };
            }
          }
        },
      },
      {
        name: "site_http_prefetches_total",
        help: "Of these, those that a browser made before its visitor asked, by route pattern.",
        type: "counter",
        *read() {
          for (const [route, { prefetches }] of routes)
            if (prefetches > 0) yield { labels: { route }, value: prefetches };
        },
      },
      {
        name: "site_http_request_duration_seconds",
        help: "Time from a request's first line to its last byte handed over, by route pattern.",
        type: "histogram",
        *read() {
          for (const [route, figures] of routes) yield* readDurations(route, figures);
        },
      },
    ],
  };
}

function* readDurations(route: string, { byDuration, seconds }: RouteFigures): Iterable<Sample> {
  let count = 0;
  for (const [slot, bound] of [...bounds, Infinity].entries()) {
    count += byDuration[slot] ?? 0;
    yield { suffix: "_bucket", labels: { route, le: bound === Infinity ? "+Inf" : String(bound) }, value: count };
  }
  yield { suffix: "_sum", labels: { route }, value: seconds };
  yield { suffix: "_count", labels: { route }, value: count };
}
