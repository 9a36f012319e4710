import { expect, it } from "vitest";
import { computeReplyDue, replyDays, usualReplyHours } from "~/lib/reply-promise";
import { isEverything } from "../support/everything";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Clocks change, and local days begin, at quarters of an hour in every time zone of these years. */
const cellMs = 15 * minuteMs;
const cellsOfPromise = (usualReplyHours * hourMs) / cellMs;

const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2029, 0, 1)];

/** Time zones that skip midnight in spring or repeat it in fall. */
const atMidnight = [
  "Africa/Cairo",
  "America/Godthab",
  "America/Havana",
  "America/Santiago",
  "America/Scoresbysund",
  "Asia/Beirut",
  "Atlantic/Azores",
];

const others = [
  "Africa/Casablanca",
  "America/New_York",
  "America/St_Johns",
  "Antarctica/Troll",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Europe/Berlin",
  "Pacific/Apia",
  "Pacific/Chatham",
  "UTC",
];

const zones = isEverything ? Intl.supportedValuesOf("timeZone") : [...atMidnight, ...others];

/** Finds the instants of a zone's clock changes. @returns one ordinary Sunday for a zone without any */
function findChanges(timeZone: string): number[] {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const offsetAt = (at: number) => format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value;
  const changes: number[] = [];
  for (let day = from; day < to; day += dayMs) {
    const before = offsetAt(day);
    if (offsetAt(day + dayMs) === before) continue;
    let at = day;
    while (offsetAt(at) === before) at += cellMs;
    changes.push(at);
  }
  return changes.length > 0 ? changes : [Date.UTC(2026, 10, 22)];
}

/** Makes a slow reference implementation: it counts the quarters of an hour that are neither Saturday nor Sunday. */
function createOracle(timeZone: string, start: number, end: number): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, weekday: "long" });
  const counts: boolean[] = [];
  for (let at = start; at < end; at += cellMs) counts.push(!format.format(at).startsWith("S"));
  return (receivedAt) => {
    let cell = (receivedAt - start) / cellMs;
    for (let left = cellsOfPromise; left > 0; cell += 1) {
      if (cell >= counts.length) throw new Error("The due date is beyond the range of the oracle.");
      if (counts[cell]) left -= 1;
    }
    return start + cell * cellMs;
  };
}

it.each(zones)("computes due dates in %s for each hour around each clock change", (timeZone) => {
  expect(findMistakes(timeZone)).toEqual([]);
});

/** Lists arrival times whose due date differs from the oracle's, with both dates. */
function findMistakes(timeZone: string): string[] {
  const mistakes: string[] = [];
  for (const change of findChanges(timeZone)) {
    const first = change - 36 * hourMs;
    const dueByOracle = createOracle(timeZone, first, change + 8 * dayMs);
    for (let receivedAt = first; receivedAt <= change + 36 * hourMs; receivedAt += hourMs) {
      const expected = { all: receivedAt + usualReplyHours * hourMs, business: dueByOracle(receivedAt) };
      for (const days of replyDays) {
        const due = computeReplyDue(new Date(receivedAt), { withinHours: usualReplyHours, days, timeZone });
        if (due.getTime() !== expected[days])
          mistakes.push(`${new Date(receivedAt).toISOString()}, ${days}: ${due.toISOString()}, not ${expected[days]}`);
      }
    }
  }
  return mistakes;
}
