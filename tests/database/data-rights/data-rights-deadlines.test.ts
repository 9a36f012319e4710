import { expect, it } from "vitest";
import { findDueDay } from "~/features/data-rights/due-day";
import { eachBackend } from "../support/backends.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Adds months to a day, or returns the last day of a shorter month. Calculated without a library. */
function monthsLater(day: string, months: number): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const count = year * 12 + (month - 1) + months;
  const target = { year: Math.floor(count / 12), month: (count % 12) + 1 };
  const isLeap = target.year % 4 === 0 && (target.year % 100 !== 0 || target.year % 400 === 0);
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return `${target.year}-${pad(target.month)}-${pad(Math.min(date, lengths[target.month - 1]!))}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}

function daysLater(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Returns the earlier of two ISO dates, which sort as text. */
function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

eachBackend("deadlines of data rights requests", (backend) => {
  it("matches a second calculation for every day from 2025 to 2028", async () => {
    const rows = await backend.sql<{ day: string; due_on: string; extended_to: string }>(
      `select day::date::text as day, private.data_rights_due_on(day::date)::text as due_on,
         private.data_rights_extended_to(day::date)::text as extended_to
       from generate_series(timestamp '2025-01-01', timestamp '2028-12-31', interval '1 day') as day order by day`,
    );
    expect(rows).toHaveLength(365 * 3 + 366);
    const expected = rows.map(({ day }) => ({
      day,
      due_on: earlier(daysLater(day, 30), monthsLater(day, 1)),
      extended_to: earlier(daysLater(day, 90), monthsLater(day, 3)),
    }));
    expect(rows).toEqual(expected);
    // The page after sending names the day without asking the database.
    expect(rows.map(({ day }) => findDueDay(day))).toEqual(rows.map(({ due_on }) => due_on));
    for (const { due_on, extended_to } of rows) expect(due_on < extended_to).toBe(true);
  });

  it.each([
    // Thirty days are shorter than this month.
    ["2026-11-21", "2026-12-21", "2027-02-19"],
    ["2026-01-15", "2026-02-14", "2026-04-15"],
    // This month is shorter than thirty days.
    ["2026-01-31", "2026-02-28", "2026-04-30"],
    ["2028-01-31", "2028-02-29", "2028-04-30"],
    ["2027-02-01", "2027-03-01", "2027-05-01"],
    ["2028-02-29", "2028-03-29", "2028-05-29"],
    ["2025-12-31", "2026-01-30", "2026-03-31"],
    ["2025-11-30", "2025-12-30", "2026-02-28"],
  ])("sets the deadlines of a request received on %s to %s and %s", async (day, dueOn, extendedTo) => {
    const [row] = await backend.sql<Record<string, string>>(
      "select private.data_rights_due_on($1::date)::text as due_on, private.data_rights_extended_to($1::date)::text as extended_to",
      [day],
    );
    expect(row).toEqual({ due_on: dueOn, extended_to: extendedTo });
  });
});
