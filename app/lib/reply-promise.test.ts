import { describe, expect, it } from "vitest";
import { computeReplyDue, describeClosing, findWorkingMorning, isTimeZone, usualReplyHours } from "./reply-promise";
import { formatReplyTime } from "./reply-time";

const due = (receivedAt: string, days: "all" | "business", timeZone = "UTC") =>
  computeReplyDue(new Date(receivedAt), { withinHours: usualReplyHours, days, timeZone }).toISOString();

it("is due 24 hours later if every day counts", () => {
  expect(due("2026-11-20T17:00:00Z", "all")).toBe("2026-11-21T17:00:00.000Z");
});

it.each([
  ["a Thursday", "UTC", "2026-11-19T17:00:00Z", "2026-11-20T17:00:00.000Z"],
  ["a Friday, on Monday", "UTC", "2026-11-20T17:00:00Z", "2026-11-23T17:00:00.000Z"],
  ["a Saturday, at the end of Monday", "UTC", "2026-11-21T10:30:00Z", "2026-11-24T00:00:00.000Z"],
  ["a Sunday, at the end of Monday", "UTC", "2026-11-22T23:59:59Z", "2026-11-24T00:00:00.000Z"],
  ["a Friday that is Saturday in UTC", "America/New_York", "2026-11-21T02:00:00Z", "2026-11-24T02:00:00.000Z"],
  ["a Monday that is Sunday in UTC", "Asia/Tokyo", "2026-11-22T20:00:00Z", "2026-11-23T20:00:00.000Z"],
  ["a weekend whose clocks go back", "America/New_York", "2026-10-30T16:00:00Z", "2026-11-02T17:00:00.000Z"],
  ["a weekend whose clocks go forward", "America/New_York", "2026-03-06T17:00:00Z", "2026-03-09T16:00:00.000Z"],
  ["a skipped midnight, from a Friday", "Atlantic/Azores", "2026-03-27T18:00:00Z", "2026-03-30T17:00:00.000Z"],
  ["a skipped midnight, on a Friday", "Africa/Cairo", "2027-04-29T12:00:00Z", "2027-04-30T12:00:00.000Z"],
  ["a Saturday's skipped midnight", "America/Santiago", "2026-09-05T12:00:00Z", "2026-09-08T03:00:00.000Z"],
  ["a midnight that passes twice", "Asia/Beirut", "2026-10-23T12:00:00Z", "2026-10-26T13:00:00.000Z"],
])("is due, if only business days count, after %s (%s)", (_case, timeZone, receivedAt, expected) => {
  expect(due(receivedAt, "business", timeZone)).toBe(expected);
});

const find = (now: string, timeZone = "UTC") => findWorkingMorning(new Date(now), { timeZone: timeZone });

it("finds a working morning from 7 AM, Monday to Friday, in the firm's time zone", () => {
  expect(find("2026-11-23T06:59:59Z")).toBeNull();
  expect(find("2026-11-23T07:00:00Z")).toBe("2026-11-23");
  expect(find("2026-11-23T22:00:00Z")).toBe("2026-11-23");
  expect(find("2026-11-22T09:00:00Z")).toBeNull();
  expect(find("2026-11-22T23:00:00Z", "Asia/Tokyo")).toBe("2026-11-23");
  expect(find("2026-11-23T09:00:00Z", "America/New_York")).toBeNull();
});

it("recognizes time zones by name", () => {
  expect(["UTC", "Europe/Berlin", "Mars/Olympus", "yes; please"].map(isTimeZone)).toEqual([true, true, false, false]);
});

describe("closed days", () => {
  const closed = [
    { from: "2026-12-24", to: "2027-01-03" },
    { from: "2026-11-01", to: "2026-11-01" },
  ];
  const clock = (days: "all" | "business" = "all", timeZone = "America/New_York") => ({
    withinHours: usualReplyHours,
    days,
    timeZone,
    closed,
  });

  it.each([
    ["before them", "2026-12-22T17:00:00Z", "2026-12-23T17:00:00.000Z"],
    ["half a day before them", "2026-12-23T17:00:00Z", "2027-01-04T17:00:00.000Z"],
    ["in the last minute before", "2026-12-24T04:59:00Z", "2027-01-05T04:59:00.000Z"],
    ["over New Year", "2026-12-31T17:00:00Z", "2027-01-05T05:00:00.000Z"],
    ["on a day of 25 hours", "2026-11-01T12:00:00Z", "2026-11-03T05:00:00.000Z"],
  ])("do not count for a message %s", (_, receivedAt, expected) => {
    expect(computeReplyDue(new Date(receivedAt), clock()).toISOString()).toBe(expected);
  });

  it.each([
    ["2026-12-16T17:00:00Z", null],
    ["2026-12-17T17:00:00Z", "We are closed December 24 to January 3 and reply by January 4."],
    ["2027-01-03T17:00:00Z", "We are closed December 24 to January 3 and reply by January 4."],
    ["2027-01-04T17:00:00Z", null],
    ["2026-10-31T17:00:00Z", "We are closed on November 1 and reply by November 2."],
  ])("are announced from a week before: at %s “%s”", (now, expected) => {
    expect(describeClosing(new Date(now), clock())).toBe(expected);
  });

  it("are followed by business days only, if only those count", () => {
    const long = { ...clock("business"), closed: [{ from: "2026-12-24", to: "2027-01-01" }] };
    expect(describeClosing(new Date("2026-12-20T17:00:00Z"), long)).toBe(
      "We are closed December 24 to January 1 and reply by January 4.",
    );
  });

  it("have no digest", () => {
    expect(findWorkingMorning(new Date("2026-12-28T17:00:00Z"), clock())).toBeNull();
    expect(findWorkingMorning(new Date("2027-01-04T17:00:00Z"), clock())).toBe("2027-01-04");
  });
});

it.each([
  ["2026-11-27T21:00:01Z", "America/New_York", "Friday, 4:15 PM EST"],
  ["2026-11-27T20:46:00Z", "Europe/Berlin", "Friday, 10 PM GMT+1"],
  ["2026-11-27T23:00:00Z", "Asia/Kolkata", "Saturday, 4:30 AM GMT+5:30"],
  ["2026-11-27T12:00:00Z", "UTC", "Friday, 12 PM UTC"],
  ["2026-12-01T05:00:00Z", "America/New_York", "the end of Monday, EST"],
  ["2026-12-01T04:50:00Z", "America/New_York", "the end of Monday, EST"],
  // From six days on, the weekday alone is not clear.
  ["2026-12-02T11:00:00Z", "America/New_York", "Wednesday, 6 AM EST"],
  ["2026-12-04T21:00:00Z", "America/New_York", "Friday, December 4, 4 PM EST"],
])("names weekday, time and zone of a reply due at %s in %s: %s", (dueAt, timeZone, words) => {
  const written = formatReplyTime(new Date(dueAt), new Date("2026-11-26T12:00:00Z"), timeZone);
  expect(written.replaceAll("\u00a0", " ")).toBe(words);
});
