import { expect, it } from "vitest";
import { findDueDay } from "~/features/data-rights/due-day";
import { eachBackend } from "../support/backends.ts";
import { useRequests } from "../support/requests.ts";

/** Returns the day this many days or months later, or the last day of a shorter month. */
function later(day: string, { days = 0, months = 0 }): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const lastOfMonth = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const time = Date.UTC(year, month - 1 + months, Math.min(date, lastOfMonth) + days);
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the earlier of two ISO dates, which sort as text. */
function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

eachBackend("deadlines of data rights requests", (backend) => {
  const requests = useRequests(backend);

  it("matches a second calculation for every day from 2025 to 2028", async () => {
    const rows = await backend.sql<{ day: string; due_on: string; extended_to: string }>(
      `select day::date::text as day, private.data_rights_due_on(day::date)::text as due_on,
         private.data_rights_extended_to(day::date)::text as extended_to
       from generate_series(timestamp '2025-01-01', timestamp '2028-12-31', interval '1 day') as day order by day`,
    );
    expect(rows).toHaveLength(365 * 3 + 366);
    const expected = rows.map(({ day }) => ({
      day,
      due_on: earlier(later(day, { days: 30 }), later(day, { months: 1 })),
      extended_to: earlier(later(day, { days: 90 }), later(day, { months: 3 })),
    }));
    expect(rows).toEqual(expected);
    // The page after sending names the day without asking the database.
    expect(rows.map(({ day }) => findDueDay(day))).toEqual(rows.map(({ due_on }) => due_on));
  });

  it.each([
    ["thirty days are shorter", "2026-11-21", "2026-12-21", "2027-02-19"],
    ["the month is shorter", "2026-01-31", "2026-02-28", "2026-04-30"],
    ["the month has a leap day", "2028-01-31", "2028-02-29", "2028-04-30"],
  ])("sets both deadlines when %s", async (_, day, due_on, extended_to) => {
    const [row] = await backend.sql<Record<string, string>>(
      "select private.data_rights_due_on($1::date)::text as due_on, private.data_rights_extended_to($1::date)::text as extended_to",
      [day],
    );
    expect(row).toEqual({ due_on, extended_to });
  });

  it.each([
    ["accepts", "on the day before it is due", 1, undefined],
    ["rejects", "on the day it is due", 0, "55000"],
    ["rejects", "when it is overdue", -1, "55000"],
  ])("%s an extension %s", async (_verdict, _when, daysLeft, code) => {
    const request = await requests.receiveConfirmed();
    await requests.set(request, `due_on = (now() at time zone 'UTC')::date + ${daysLeft}`);
    expect((await requests.take(request.id, "extend", "Many")).error?.code).toBe(code);
    const { extended_at } = (await requests.findRow(request))!;
    expect(extended_at === null).toBe(code !== undefined);
  });
});
