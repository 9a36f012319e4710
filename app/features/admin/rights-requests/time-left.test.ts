import { expect, it } from "vitest";
import { describeTimeLeft, isUrgent } from "./time-left";

const open = { state: "open", due_on: "2026-11-27", is_overdue: false, closed_at: null } as const;

it.each([
  ["2026-08-23", "96 days overdue", true],
  ["2026-11-26", "1 day overdue", true],
  ["2026-11-27", "Due today", true],
  ["2026-11-28", "1 day left", true],
  ["2026-12-04", "7 days left", false],
])("describes a request due on %s as “%s” on November 27", (due_on, words, urgent) => {
  const request = { ...open, due_on };
  expect([describeTimeLeft(request, "2026-11-27"), isUrgent(request, "2026-11-27")]).toEqual([words, urgent]);
});

it("finds no time and no urgency for a closed or unconfirmed request", () => {
  const past = { ...open, due_on: "2026-01-01" };
  for (const request of [
    { ...past, closed_at: "2026-02-01T00:00:00Z" },
    { ...past, state: "unconfirmed" as const },
  ])
    expect([describeTimeLeft(request, "2026-11-27"), isUrgent(request, "2026-11-27")]).toEqual([null, false]);
});
