import { expect, it } from "vitest";
import { formatDayOf, instantFormat } from "~/lib/dates";
import { findNextStep, type StepRequest } from "./next-step";
import { describeTimeLeft, isUrgent } from "./time-left";

const open: StepRequest = {
  state: "in_progress",
  request_type: "access",
  frozen_at: null,
  restriction_ends_on: null,
  confirmation_expires_at: null,
  closed_at: null,
  link_waits: false,
  steps: ["handOver", "correct", "erase", "restrict", "outcome", "complete"],
};

const frozen = { state: "completed", frozen_at: "2026-01-09T00:00:00Z" } as const;

function find(changes: Partial<StepRequest>) {
  const write = {
    instant: instantFormat("America/New_York"),
    dayOf: (instant: string) => formatDayOf(instant, "America/New_York"),
  };
  return findNextStep({ ...open, ...changes }, write);
}

it.each<[Partial<StepRequest>, string | null, RegExp]>([
  [{ state: "unconfirmed", confirmation_expires_at: "2026-01-20T10:00:00Z" }, null, /link is valid until \w+ 20, 2026/],
  [{ state: "unconfirmed" }, null, /has not been confirmed/],
  [{ state: "unconfirmed", link_waits: true }, null, /waits for its turn/],
  [{ state: "open", steps: ["startWork"] }, "startWork", /Start work/],
  [{}, "handOver", /hand it over/],
  [{ request_type: "portability" }, "handOver", /hand it over/],
  [{ request_type: "rectification" }, "correct", /Correct/],
  [{ request_type: "erasure" }, "erase", /erase/],
  [{ request_type: "restrict" }, "restrict", /Restrict/],
  [{ request_type: "restrict", steps: ["complete"] }, "complete", /complete/],
  [{ request_type: "object" }, "complete", /complete/],
  [{ request_type: "complaint" }, "outcome", /outcome/],
  [frozen, "lift", /restricted/],
  [{ ...frozen, restriction_ends_on: "2026-01-30" }, null, /January 30, 2026/],
  [{ state: "refused", closed_at: "2026-01-09T03:00:00Z" }, null, /Closed on January 8, 2026/],
])("finds the next step of %o: %s", (changes, action, text) => {
  const step = find(changes);
  expect(step.action).toBe(action);
  expect(step.text.replaceAll("\u00a0", " ")).toMatch(text);
});

const due = { state: "open", due_on: "2026-11-27", is_overdue: false, closed_at: null } as const;

it.each<[Partial<Parameters<typeof isUrgent>[0]>, string | null, boolean]>([
  [{ due_on: "2026-08-23" }, "96 days overdue", true],
  [{ due_on: "2026-11-26" }, "1 day overdue", true],
  [{ due_on: "2026-11-27" }, "Due today", true],
  [{ due_on: "2026-11-28" }, "1 day left", true],
  [{ due_on: "2026-12-04" }, "7 days left", false],
  [{ due_on: "2026-01-01", closed_at: "2026-02-01T00:00:00Z" }, null, false],
  [{ due_on: "2026-01-01", state: "unconfirmed" }, null, false],
])("describes a request with %o as “%s” on November 27, urgent: %s", (changes, words, urgent) => {
  const request = { ...due, ...changes };
  expect([describeTimeLeft(request, "2026-11-27"), isUrgent(request, "2026-11-27")]).toEqual([words, urgent]);
});
