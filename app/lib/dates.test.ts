import { expect, it } from "vitest";
import {
  formatDay,
  formatDayOf,
  instantFormat,
  isInstant,
  localDay,
  dateAndTimeFormat,
  startOfLocalDay,
} from "./dates";
import { createLocalClock } from "./local-clock";

const minuteMs = 60_000;

/** An evening in New York, already the next day in UTC. */
const evening = "2026-11-20T01:30:00.134Z";
const zones = [
  ["UTC", "2026-11-20", "November 20, 2026", "Nov 20, 2026, 1:30 AM UTC", "01:30:00"],
  ["America/New_York", "2026-11-19", "November 19, 2026", "Nov 19, 2026, 8:30 PM EST", "20:30:00"],
  ["Pacific/Pago_Pago", "2026-11-19", "November 19, 2026", "Nov 19, 2026, 2:30 PM GMT-11", "14:30:00"],
] as const;

it.each(zones)("formats an instant in %s", (zone, day, words, instant, time) => {
  expect(localDay(Date.parse(evening), zone)).toBe(day);
  expect(formatDayOf(evening, zone)).toBe(words);
  expect(formatDay(day)).toBe(words);
  expect(instantFormat(zone)(evening).replaceAll("\u202f", " ")).toBe(instant);
  expect(dateAndTimeFormat(zone)(evening)).toEqual({ date: day, time });
});

it("rejects an instant without a time zone as a day", () => {
  expect(() => formatDay(evening)).toThrow(RangeError);
});

it.each([
  ["2026-11-20T01:25:44.134+00:00", true],
  ["2026-11-20T01:25:44Z", true],
  ["2026-11-20", false],
  ["2026-11-20T01:25", false],
  ["on 2026-11-20T01:25:44Z", false],
])("detects whether %s is an instant: %s", (text, is) => expect(isInstant(text)).toBe(is));

it.each([
  // Clocks go forward at midnight: the day begins at 1:00.
  ["Africa/Cairo", "2027-04-30T09:00:00Z", "2027-04-29T22:00:00Z"],
  // Clocks go back at midnight, so 23:00 occurs twice.
  ["Africa/Cairo", "2027-10-29T12:00:00Z", "2027-10-28T22:00:00Z"],
  ["America/New_York", "2026-11-01T23:00:00Z", "2026-11-01T04:00:00Z"],
  // A day of 24.5 hours.
  ["Australia/Lord_Howe", "2027-04-04T13:00:00Z", "2027-04-03T13:00:00Z"],
])("finds the first instant of a day in %s at %s", (zone, at, begins) => {
  expect(new Date(startOfLocalDay(Date.parse(at), zone)).toISOString()).toBe(new Date(begins).toISOString());
});

it("finds the first instant of a day in many time zones, around the clock changes of a year", () => {
  const known = Intl.supportedValuesOf("timeZone");
  for (const zone of process.env.TESTS === "all" ? known : known.filter((_, index) => index % 20 === 0)) {
    const days = [7, 73, 101, 119, 150, 245, 290, 302, 307].map((day) => Date.UTC(2027, 0, day, 23, 17));
    for (const at of days) {
      const start = startOfLocalDay(at, zone);
      expect([zone, localDay(start, zone)]).toEqual([zone, localDay(at, zone)]);
      expect([zone, localDay(start - 1, zone)]).not.toEqual([zone, localDay(at, zone)]);
    }
  }
});

it.each(["UTC", "America/New_York", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Africa/Cairo"])(
  "changes the calendar day in %s at midnight only",
  (zone) => {
    const midnight = startOfLocalDay(Date.UTC(2027, 3, 30, 12), zone);
    let now = midnight - minuteMs;
    const clock = createLocalClock(zone, () => now);
    const before = clock.today();
    expect(clock.startOfToday() < new Date(now).toISOString()).toBe(true);
    now = midnight - 1;
    expect(clock.today()).toBe(before);
    for (const later of [0, 1, 61 * minuteMs, 22 * 60 * minuteMs]) {
      now = midnight + later;
      expect([clock.today(), clock.startOfToday()]).toEqual([
        localDay(midnight, zone),
        new Date(midnight).toISOString(),
      ]);
    }
  },
);
