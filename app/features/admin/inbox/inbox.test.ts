import { expect, it } from "vitest";
import { isRetentionOverdue } from "./inbox.server";

const now = Date.parse("2026-11-27T12:00:00Z");
const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000).toISOString();

it.each([
  [
    "a project minutes old, whose timer has yet to run",
    { lastRun: null, since: hoursAgo(0.1), startsRetention: false },
    false,
  ],
  ["an older project whose timer never ran", { lastRun: null, since: hoursAgo(49), startsRetention: false }, true],
  ["a run yesterday", { lastRun: hoursAgo(25), since: hoursAgo(900), startsRetention: false }, false],
  ["no run for two days", { lastRun: hoursAgo(49), since: hoursAgo(900), startsRetention: true }, true],
  ["a server that runs it soon after its start", { lastRun: null, since: hoursAgo(900), startsRetention: true }, false],
])("judges retention of %s", (_, state, isOverdue) => {
  expect(isRetentionOverdue(state, now)).toBe(isOverdue);
});
