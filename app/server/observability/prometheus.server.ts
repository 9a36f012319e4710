import { Counter, Gauge, Histogram, Registry } from "prom-client";
import {
  type BackupMetrics,
  type OutboxState,
  type ProductMetrics,
  capacityRefusals,
  sessionEvents,
} from "./product-metrics.server";
import { siteCommit, siteVersion } from "~/lib/site-version";
import type { EventLoop } from "./event-loop.server";
import { createProcessMetrics } from "./process-metrics.server";

/**
 * Metrics of one site for Prometheus. Loaded only with METRICS_PORT, because the library costs every start memory and
 * time.
 */
export interface Prometheus extends ProductMetrics {
  /** Reads all metrics in the format of {@link contentType}. A metric that cannot be read is omitted. */
  read(): Promise<string>;
  readonly contentType: string;
}

/** Running counts of a whole process. */
interface ProcessCounts {
  /** lines of libraries; undefined in development, where the console is the developer's */
  consoleLines?: Readonly<Record<"info" | "warn", number>> | undefined;
  loop?: Pick<EventLoop, "countHolds"> | undefined;
}

/** Upper bounds in seconds: a cached page stays below the first, and a hanging backend reaches the last. */
const durations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Creates metrics that start at 0, and starts measuring the process. */
export function createPrometheus({ consoleLines, loop }: ProcessCounts = {}): Prometheus {
  const registry = new Registry();
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
  const rateLimited = counter(
    "site_http_rate_limited_total",
    "Requests among these that a limit per client rejected with 429.",
  );
  const prefetches = counter(
    "site_http_prefetches_total",
    "Prefetches among these requests, by route pattern.",
    "route",
  );
  const requestDurations = new Histogram({
    name: "site_http_request_duration_seconds",
    help: "Time from a request's first line to the last byte of its response, by route pattern.",
    labelNames: ["route"],
    buckets: durations,
    registers: [registry],
  });
  const submissions = counter("site_submissions_total", "Valid contact messages, by outcome.", "outcome");
  const dataRightsRequests = counter(
    "site_data_rights_requests_total",
    "Valid data rights requests, by outcome.",
    "outcome",
  );
  const consentChoices = counter(
    "site_consent_choices_total",
    "Decisions about cookies, by source and allowed categories.",
    "source",
    "analytics",
    "marketing",
  );
  const sessions = counter(
    "site_session_events_total",
    "Session events of the firm's people: signed in or out, renewed, second factor used, account changed.",
    "event",
  );
  const signIns = counter(
    "site_sign_in_attempts_total",
    "Attempts to sign in or to confirm an identity, by credential and result; throttled: too many attempts.",
    "step",
    "result",
  );
  const refusedRenders = counter(
    "site_renders_refused_total",
    "Requests rejected with 503 because too many pages were being rendered.",
  );
  const refusedPlaces = counter(
    "site_places_refused_total",
    "Connections closed and unfinished posts rejected at a capacity limit, by cause.",
    "cause",
  );
  const requestFailures = counter(
    "site_request_failures_total",
    "Unexpected errors in requests; each is logged as request.failed.",
  );
  // Exported as 0 from the start, so that the first event shows as an increase.
  for (const outcome of ["accepted", "quarantined", "failed"]) submissions.inc({ outcome }, 0);
  for (const outcome of ["accepted", "failed"]) dataRightsRequests.inc({ outcome }, 0);
  for (const event of sessionEvents) sessions.inc({ event }, 0);
  for (const cause of capacityRefusals) refusedPlaces.inc({ cause }, 0);
  for (const step of ["password", "code"])
    for (const result of ["succeeded", "wrong", "throttled", "broken"]) signIns.inc({ step, result }, 0);

  const showProcess = createProcessMetrics();
  let readOutbox: (() => Promise<OutboxState>) | undefined;
  let readBackups: (() => Promise<BackupMetrics | null>) | undefined;
  let readDisk: (() => Promise<number | null>) | undefined;

  return {
    countRequest({ route, status, durationMs, prefetch }) {
      requests.inc({ route, status: `${Math.trunc(status / 100)}xx` });
      requestDurations.observe({ route }, durationMs / 1000);
      if (status === 429) rateLimited.inc();
      if (prefetch) prefetches.inc({ route });
    },
    countSubmission: (outcome) => submissions.inc({ outcome }),
    countDataRightsRequest: (outcome) => dataRightsRequests.inc({ outcome }),
    countConsentChoice: (source, { analytics, marketing }) =>
      consentChoices.inc({ source, analytics: String(analytics), marketing: String(marketing) }),
    countSessionEvent: (event) => sessions.inc({ event }),
    countSignIn: (step, result) => signIns.inc({ step, result }),
    countRefusedRender: () => refusedRenders.inc(),
    countRequestFailure: () => requestFailures.inc(),
    countCapacityRefusal: (cause) => refusedPlaces.inc({ cause }),
    measureOutbox: (read) => (readOutbox = read),
    measureBackups: (read) => (readBackups = read),
    measureDisk: (read) => (readDisk = read),
    async read() {
      const now = new Registry();
      const show = (name: string, help: string, value: number | null | undefined) => {
        if (typeof value === "number") new Gauge({ name, help, registers: [now] }).set(value);
      };
      const outbox = await orNull(readOutbox);
      show("site_outbox_waiting", "Mails that are due or will be retried.", outbox?.waiting);
      show("site_outbox_given_up", "Mails that were given up.", outbox?.givenUp);
      show("site_outbox_oldest_seconds", "Age of the oldest waiting mail.", outbox?.oldestSeconds);
      show("site_retention_age_seconds", "Age of the last complete retention run.", outbox?.retentionSeconds);
      const backups = await orNull(readBackups);
      show("site_backup_age_seconds", "Age of the newest good backup.", backups?.ageSeconds);
      const copyAge = "Age of the newest backup that was copied to BACKUP_TO.";
      show("site_backup_copy_age_seconds", copyAge, backups?.copyAgeSeconds);
      const trouble = "1 if the last backup failed, or none was made in time.";
      show("site_backup_in_trouble", trouble, backups && Number(backups.trouble !== "none"));
      show("site_disk_free_bytes", "Free space on the disk of the data folder.", await orNull(readDisk));
      if (consoleLines) {
        const name = "site_console_lines_total";
        const help = "Lines that libraries wrote to the console.";
        const lines = new Counter({ name, help, labelNames: ["level"], registers: [now] });
        for (const [level, count] of Object.entries(consoleLines)) lines.inc({ level }, count);
      }
      const held = "Times that the event loop was held for over 500 ms; each is logged as event-loop.held.";
      new Counter({ name: "site_event_loop_held_total", help: held, registers: [now] }).inc(loop?.countHolds() ?? 0);
      showProcess(now);
      return (await registry.metrics()) + (await now.metrics());
    },
    contentType: registry.contentType,
  };
}

/** Reads a metric; null if it cannot be read, because the other metrics are still useful. */
async function orNull<Value>(read: (() => Promise<Value>) | undefined): Promise<Value | null> {
  return read === undefined ? null : read().catch(() => null);
}
