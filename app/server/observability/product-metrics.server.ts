import type { ConsentSource } from "~/lib/consent";
import { type Metric, createCounter } from "./prometheus-format.server";

/** `quarantined`: kept, but caught in the honeypot; `failed`: the visitor was told so. */
export type SubmissionOutcome = "accepted" | "quarantined" | "failed";

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

/** Counts one contact message that was valid. */
export function countSubmission(outcome: SubmissionOutcome): void {
  submissions.add({ outcome });
}

/** Counts one data rights request that was valid. */
export function countDataRightsRequest(outcome: "accepted" | "failed"): void {
  dataRightsRequests.add({ outcome });
}

/** Counts one choice about cookies. */
export function countConsentChoice(source: ConsentSource, choice: { analytics: boolean; marketing: boolean }): void {
  consentChoices.add({ source, analytics: String(choice.analytics), marketing: String(choice.marketing) });
}

/** Mail that has not gone out yet. */
export interface OutboxState {
  waiting: number;
  givenUp: number;
  /** how long the oldest mail has been waiting; 0 when none is */
  oldestSeconds: number;
}

let readOutbox: (() => Promise<OutboxState>) | undefined;

/**
 * Lets the outbox be measured: called by who may see it, which is the embedded backend. A hosted project keeps its
 * outbox from the web tier; there its own dashboard has to be asked.
 */
export function measureOutbox(read: () => Promise<OutboxState>): void {
  readOutbox = read;
}

/** What the product does for its visitors. */
export const productMetrics: Metric[] = [
  submissions,
  dataRightsRequests,
  consentChoices,
  outboxGauge("site_outbox_waiting", "Mails that are due or will be tried again.", (outbox) => outbox.waiting),
  outboxGauge("site_outbox_given_up", "Mails that no try is left for.", (outbox) => outbox.givenUp),
  outboxGauge("site_outbox_oldest_seconds", "Age of the oldest mail that waits.", (outbox) => outbox.oldestSeconds),
];

function outboxGauge(name: string, help: string, pick: (outbox: OutboxState) => number): Metric {
  return {
    name,
    help,
    type: "gauge",
    read: async () => (readOutbox === undefined ? [] : [{ value: pick(await shareReading(readOutbox)) }]),
  };
}

let reading: Promise<OutboxState> | undefined;

/** The three gauges are read at the same moment: one query serves them all. */
function shareReading(read: () => Promise<OutboxState>): Promise<OutboxState> {
  reading ??= read().finally(() => (reading = undefined));
  return reading;
}
