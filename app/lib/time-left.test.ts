import { expect, it } from "vitest";
import { timeLeft } from "./time-left";

const now = Date.parse("2026-11-22T12:00:00Z");

it.each([
  ["2026-11-22T12:00:30Z", "1 minute left"],
  ["2026-11-22T13:59:59Z", "119 minutes left"],
  ["2026-11-24T12:00:00Z", "2 days left"],
  ["2026-11-21T13:00:00Z", "23 hours late"],
  ["2026-11-01T12:00:00Z", "21 days late"],
])("describes the time until %s as %s", (dueAt, words) => {
  expect(timeLeft(dueAt, now)).toEqual({ isLate: words.endsWith("late"), words });
});
