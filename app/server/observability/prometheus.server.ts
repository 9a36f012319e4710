import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { type ProductMetrics, type StateReaders, refusals } from "./product-metrics.server";
import { siteCommit, siteVersion } from "~/lib/site-version";
import type { EventLoop } from "./event-loop.server";

/**
 * Metrics of one site for Prometheus. Loaded only with METRICS_PORT, because the library costs every start memory and
 * time.
 */
export interface Prometheus extends ProductMetrics {
  /** Reads all metrics in the format of {@link contentType}. A metric that cannot be read is omitted. */
  read(): Promise<string>;
  readonly contentType: string;
}

/** Upper bounds in seconds: a cached page stays below the first, and a hanging backend reaches the last. */
const durations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Creates metrics that start at 0, and starts measuring the process with the library's own metrics.
 * @param loop the event loop of a process that serves this site only
 */
export function createPrometheus(loop?: Pick<EventLoop, "countHolds">): Prometheus {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const build = new Gauge({
    name: "site_build_info",
    help: "1, with version and commit of this build.",
    labelNames: ["version", "commit"],
    registers: [registry],
  });
  build.set({ version: siteVersion, commit: siteCommit }, 1);
  const requests = counter(
    "site_http_requests_total",
    "Completed requests, by route pattern and status class.",
    "route",
    "status",
  );
  const requestDurations = new Histogram({
    name: "site_http_request_duration_seconds",
    help: "Time from a request's first line to the last byte of its response, by route pattern.",
    labelNames: ["route"],
    buckets: durations,
    registers: [registry],
  });
  const refused = counter(
    "site_refused_total",
    "Connections closed and requests rejected at a limit, by cause; client-limit is 429, renders 503.",
    "cause",
  );
  // Exported as 0 from the start, so that the first refusal shows as an increase.
  for (const cause of refusals) refused.inc({ cause }, 0);
  const requestFailures = counter(
    "site_request_failures_total",
    "Unexpected errors in requests; each is logged as request.failed.",
  );
  const readers: Partial<StateReaders> = {};

  return {
    countRequest({ route, status, durationMs }) {
      requests.inc({ route, status: `${Math.trunc(status / 100)}xx` });
      requestDurations.observe({ route }, durationMs / 1000);
    },
    countRequestFailure: () => requestFailures.inc(),
    countRefusal: (cause) => refused.inc({ cause }),
    measure: (more) => void Object.assign(readers, more),
    async read() {
      const now = new Registry();
      const show = (name: string, help: string, value: number | null | undefined) => {
        if (typeof value === "number") new Gauge({ name, help, registers: [now] }).set(value);
      };
      const outbox = await orNull(readers.outbox);
      show("site_outbox_oldest_seconds", "Age of the oldest waiting mail.", outbox?.oldestSeconds);
      show("site_retention_age_seconds", "Age of the last complete retention run.", outbox?.retentionSeconds);
      show("site_backup_age_seconds", "Age of the newest good backup.", await orNull(readers.backupAge));
      show("site_disk_free_bytes", "Free space on the disk of the data folder.", await orNull(readers.freeBytes));
      const held = "Times that the event loop was held for over 500 ms; each is logged as event-loop.held.";
      new Counter({ name: "site_event_loop_held_total", help: held, registers: [now] }).inc(loop?.countHolds() ?? 0);
      return (await registry.metrics()) + (await now.metrics());
    },
    contentType: registry.contentType,
  };
}

/** Reads a metric; null if it cannot be read, because the other metrics are still useful. */
async function orNull<Value>(read: (() => Promise<Value>) | undefined): Promise<Value | null> {
  return read === undefined ? null : read().catch(() => null);
}
