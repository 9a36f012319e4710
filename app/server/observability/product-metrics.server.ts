import type { ConsentSource } from "~/lib/consent";
import { type Metric, createCounter } from "./prometheus-format.server";

/** `quarantined`: kept, but caught in the honeypot; `failed`: the visitor was told so. */
export type SubmissionOutcome = "accepted" | "quarantined" | "failed";

/** Mail that has not been sent yet. */
export interface OutboxState {
  waiting: number;
  givenUp: number;
  /** how long the oldest mail has been waiting; 0 when none is */
  oldestSeconds: number;
}

/** The backups that the site makes by itself. */
export interface BackupFigures {
  /** of the newest good one; null where there is none */
  ageSeconds: number | null;
  /** of the newest that was copied elsewhere; null where there is none */
  copyAgeSeconds: number | null;
  trouble: string;
}

/** What happens to sessions of the firm's people, in the authentication library's words. */
export const sessionEvents = [
  "SIGNED_IN",
  "SIGNED_OUT",
  "TOKEN_REFRESHED",
  "MFA_CHALLENGE_VERIFIED",
  "USER_UPDATED",
] as const;

/** Which. */
export type SessionEvent = (typeof sessionEvents)[number];

/** Credential shown at a sign-in attempt or a confirmation. */
export type SignInStep = "password" | "code" | "recovery-code" | "setup-code";

/** `throttled`: there were too many tries; `broken`: the authentication service could not say. */
export type SignInResult = "succeeded" | "wrong" | "throttled" | "broken";

/** Causes for closing a connection or refusing a post, where others need the place; `slow-bodies` came at less than 1 kB/s. */
export const placeRefusals = [
  "connections",
  "connections-of-one-peer",
  "bodies",
  "bodies-of-one-client",
  "slow-bodies",
] as const;

/** One of them. */
export type PlaceRefusal = (typeof placeRefusals)[number];

/** Figures of what one site does for its visitors. */
export interface ProductMetrics {
  /** Counts one contact message that was valid. */
  countSubmission(outcome: SubmissionOutcome): void;
  /** Counts one data rights request that was valid. */
  countDataRightsRequest(outcome: "accepted" | "failed"): void;
  /** Counts one choice about cookies. */
  countConsentChoice(source: ConsentSource, choice: { analytics: boolean; marketing: boolean }): void;
  /** Counts one event of a session. */
  countSessionEvent(event: SessionEvent): void;
  /** Counts one try to sign in, step by step. */
  countSignIn(step: SignInStep, result: SignInResult): void;
  /** Counts one error that the code of a request did not expect. */
  countRequestFailure(): void;
  /** Counts one request that was answered with 503 because too many pages were being rendered. */
  countRefusedRender(): void;
  /** Counts one connection that was closed, or one post that was refused, because others need the place. */
  countPlaceRefusal(cause: PlaceRefusal): void;
  /** Counts one thing that the content security policy kept out of a page, as a browser reports it. */
  countPolicyViolation(directive: string): void;
  /**
   * Lets the outbox be measured: called by who may see it, which is the embedded backend. A hosted project keeps its
   * outbox from the web tier; there its own dashboard has to be asked.
   */
  measureOutbox(read: () => Promise<OutboxState>): void;
  /** Lets the backups be measured, where the site makes any. */
  measureBackups(read: () => Promise<BackupFigures | null>): void;
  /** Lets the free bytes of the data folder's disk be measured, where there is one. */
  measureDisk(read: () => Promise<number | null>): void;
  list: Metric[];
}

/** Makes figures that begin at 0. */
export function createProductMetrics(): ProductMetrics {
  const submissions = createCounter<{ outcome: SubmissionOutcome }>(
    "site_submissions_total",
    "Valid contact messages, by what became of them.",
    [{ outcome: "accepted" }, { outcome: "quarantined" }, { outcome: "failed" }],
  );
  const dataRightsRequests = createCounter<{ outcome: "accepted" | "failed" }>(
    "site_data_rights_requests_total",
    "Valid data rights requests, by what became of them.",
    [{ outcome: "accepted" }, { outcome: "failed" }],
  );
  const consentChoices = createCounter<{ source: string; analytics: string; marketing: string }>(
    "site_consent_choices_total",
    "Choices about cookies, by where they were made and what they allow.",
  );
  const sessions = createCounter<{ event: SessionEvent }>(
    "site_session_events_total",
    "What happened to sessions of the firm's people: signed in or out, renewed, second factor used, account changed.",
    sessionEvents.map((event) => ({ event })),
  );
  const signIns = createCounter<{ step: SignInStep; result: SignInResult }>(
    "site_sign_in_attempts_total",
    "Tries to sign in or to confirm that it is them, by what was shown and how it ended; throttled: after too many.",
    (["password", "code"] as const).flatMap((step) =>
      (["succeeded", "wrong", "throttled", "broken"] as const).map((result) => ({ step, result })),
    ),
  );
  const policyViolations = createCounter<{ directive: string }>(
    "site_policy_violations_total",
    "What the content security policy kept out of pages, as browsers report it, by directive.",
  );
  const refusedRenders = createCounter<Record<string, never>>(
    "site_renders_refused_total",
    "Requests answered with 503 because too many pages were being rendered.",
    [{}],
  );
  const refusedPlaces = createCounter<{ cause: PlaceRefusal }>(
    "site_places_refused_total",
    "Connections closed and unfinished posts refused because others need the place, by cause.",
    placeRefusals.map((cause) => ({ cause })),
  );
  const requestFailures = createCounter<Record<string, never>>(
    "site_request_failures_total",
    "Errors that the code of a request did not expect; each is a line request.failed in the log.",
    [{}],
  );
  let readOutbox: (() => Promise<OutboxState>) | undefined;
  let reading: Promise<OutboxState> | undefined;

  function outboxGauge(name: string, help: string, pick: (outbox: OutboxState) => number): Metric {
    return {
      name,
      help,
      type: "gauge",
      async read() {
        if (readOutbox === undefined) return [];
        // The three gauges are read at the same moment: one query serves them all.
        reading ??= readOutbox().finally(() => (reading = undefined));
        return [{ value: pick(await reading) }];
      },
    };
  }

  let readDisk: (() => Promise<number | null>) | undefined;
  let readBackups: (() => Promise<BackupFigures | null>) | undefined;

  function backupGauge(name: string, help: string, pick: (backups: BackupFigures) => number | null): Metric {
    return {
      name,
      help,
      type: "gauge",
      async read() {
        const backups = (await readBackups?.()) ?? null;
        const value = backups && pick(backups);
        return value === null ? [] : [{ value }];
      },
    };
  }

  return {
    countSubmission: (outcome) => submissions.add({ outcome }),
    countDataRightsRequest: (outcome) => dataRightsRequests.add({ outcome }),
    countConsentChoice: (source, { analytics, marketing }) =>
      consentChoices.add({ source, analytics: String(analytics), marketing: String(marketing) }),
    countSessionEvent: (event) => sessions.add({ event }),
    countSignIn: (step, result) => signIns.add({ step, result }),
    countRefusedRender: () => refusedRenders.add({}),
    countRequestFailure: () => requestFailures.add({}),
    countPlaceRefusal: (cause) => refusedPlaces.add({ cause }),
    countPolicyViolation: (directive) => policyViolations.add({ directive }),
    measureOutbox: (read) => (readOutbox = read),
    measureBackups: (read) => (readBackups = read),
    measureDisk: (read) => (readDisk = read),
    list: [
      submissions,
      dataRightsRequests,
      consentChoices,
      sessions,
      signIns,
      outboxGauge("site_outbox_waiting", "Mails that are due or will be tried again.", (outbox) => outbox.waiting),
      outboxGauge("site_outbox_given_up", "Mails that have been given up.", (outbox) => outbox.givenUp),
      outboxGauge("site_outbox_oldest_seconds", "Age of the oldest mail that waits.", (outbox) => outbox.oldestSeconds),
      backupGauge("site_backup_age_seconds", "Age of the newest good backup.", ({ ageSeconds }) => ageSeconds),
      backupGauge(
        "site_backup_copy_age_seconds",
        "Age of the newest backup that was copied to BACKUP_TO.",
        ({ copyAgeSeconds }) => copyAgeSeconds,
      ),
      backupGauge(
        "site_backup_in_trouble",
        "1 when the last try to make a backup failed, or none was made in time.",
        (backups) => (backups.trouble === "none" ? 0 : 1),
      ),
      {
        name: "site_disk_free_bytes",
        help: "What is left on the disk of the data folder.",
        type: "gauge",
        async read() {
          const value = (await readDisk?.()) ?? null;
          return value === null ? [] : [{ value }];
        },
      },
      policyViolations,
      refusedRenders,
      refusedPlaces,
      requestFailures,
    ],
  };
}
