import { Counter, Gauge, Histogram, Registry } from "prom-client";
import {
  type BackupMetrics,
  type OutboxState,
  type ProductMetrics,
  capacityRefusals,
  sessionEvents,
} from "./product-metrics.server";
import { createProcessMetrics } from "./process-metrics.server";

/** Figures of one site, for Prometheus. Loaded with METRICS_PORT alone: the library costs every start memory and time. */
export interface Prometheus extends ProductMetrics {
  /** Reads all figures, as a response of {@link contentType}. A figure that cannot be read now is left out. */
  read(): Promise<string>;
  readonly contentType: string;
}

/** Upper bounds in seconds: a page from memory takes less than the first, a backend that hangs as much as the last. */
const durations = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Makes figures that begin at 0, and begins to watch the process.
 * @param consoleLines lines of libraries so far; none where the console belongs to the developer
 */
export function createPrometheus(consoleLines?: Readonly<Record<"info" | "warn", number>>): Prometheus {
  const registry = new Registry();
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const requests = counter(
    "site_http_requests_total",
    "Requests answered, by route pattern and status class.",
    "route",
    "status",
  );
  const prefetches = counter(
    "site_http_prefetches_total",
    "Of these, those that a browser made before its visitor asked, by route pattern.",
    "route",
  );
  const requestDurations = new Histogram({
    name: "site_http_request_duration_seconds",
    help: "Time from a request's first line to its last byte handed over, by route pattern.",
    labelNames: ["route"],
    buckets: durations,
    registers: [registry],
  });
  const submissions = counter("site_submissions_total", "Valid contact messages, by what became of them.", "outcome");
  const dataRightsRequests = counter(
    "site_data_rights_requests_total",
    "Valid data rights requests, by what became of them.",
    "outcome",
  );
  const consentChoices = counter(
    "site_consent_choices_total",
    "Choices about cookies, by where they were made and what they allow.",
    "source",
    "analytics",
    "marketing",
  );
  const sessions = counter(
    "site_session_events_total",
    "What happened to sessions of the firm's people: signed in or out, renewed, second factor used, account changed.",
    "event",
  );
  const signIns = counter(
    "site_sign_in_attempts_total",
    "Tries to sign in or to confirm that it is them, by what was shown and how it ended; throttled: after too many.",
    "step",
    "result",
  );
  const policyViolations = counter(
    "site_policy_violations_total",
    "What the content security policy kept out of pages, as browsers report it, by directive.",
    "directive",
  );
  const refusedRenders = counter(
    "site_renders_refused_total",
    "Requests answered with 503 because too many pages were being rendered.",
  );
  const refusedPlaces = counter(
    "site_places_refused_total",
    "Connections closed and unfinished posts refused because others need the place, by cause.",
    "cause",
  );
  const requestFailures = counter(
    "site_request_failures_total",
    "Errors that the code of a request did not expect; each is a line request.failed in the log.",
  );
  // Shown as 0 from the start, so that a first event is seen as a rise.
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
    countPlaceRefusal: (cause) => refusedPlaces.inc({ cause }),
    countPolicyViolation: (directive) => policyViolations.inc({ directive }),
    measureOutbox: (read) => (readOutbox = read),
    measureBackups: (read) => (readBackups = read),
    measureDisk: (read) => (readDisk = read),
    async read() {
      const now = new Registry();
      const show = (name: string, help: string, value: number | null | undefined) => {
        if (typeof value === "number") new Gauge({ name, help, registers: [now] }).set(value);
      };
      const outbox = await orNull(readOutbox);
      show("site_outbox_waiting", "Mails that are due or will be tried again.", outbox?.waiting);
      show("site_outbox_given_up", "Mails that have been given up.", outbox?.givenUp);
      show("site_outbox_oldest_seconds", "Age of the oldest mail that waits.", outbox?.oldestSeconds);
      const backups = await orNull(readBackups);
      show("site_backup_age_seconds", "Age of the newest good backup.", backups?.ageSeconds);
      const copyAge = "Age of the newest backup that was copied to BACKUP_TO.";
      show("site_backup_copy_age_seconds", copyAge, backups?.copyAgeSeconds);
      const trouble = "1 when the last try to make a backup failed, or none was made in time.";
      show("site_backup_in_trouble", trouble, backups && Number(backups.trouble !== "none"));
      show("site_disk_free_bytes", "What is left on the disk of the data folder.", await orNull(readDisk));
      if (consoleLines) {
        const name = "site_console_lines_total";
        const help = "What libraries wrote to the console.";
        const lines = new Counter({ name, help, labelNames: ["level"], registers: [now] });
        for (const [level, count] of Object.entries(consoleLines)) lines.inc({ level }, count);
      }
      showProcess(now);
      return (await registry.metrics()) + (await now.metrics());
    },
    contentType: registry.contentType,
  };
}

/** Reads a figure; null where it cannot be read now: the others are still worth having. */
async function orNull<Figure>(read: (() => Promise<Figure>) | undefined): Promise<Figure | null> {
  return read === undefined ? null : read().catch(() => null);
}
