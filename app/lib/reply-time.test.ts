import { expect, it } from "vitest";
import { formatReplyTime } from "./reply-time";

const format = (due: string, timeZone = "America/New_York", now = "2026-11-26T12:00:00Z") =>
  formatReplyTime(new Date(due), new Date(now), timeZone).replaceAll("\u00a0", " ");

it.each([
  ["2026-11-27T21:00:00Z", "America/New_York", "Friday, 4 PM EST"],
  ["2026-11-27T21:00:01Z", "America/New_York", "Friday, 4:15 PM EST"],
  ["2026-11-27T20:46:00Z", "Europe/Berlin", "Friday, 10 PM GMT+1"],
  ["2026-11-27T23:00:00Z", "Asia/Kolkata", "Saturday, 4:30 AM GMT+5:30"],
  ["2026-11-27T12:00:00Z", "UTC", "Friday, 12 PM UTC"],
])("names weekday, time and zone of a reply due at %s in %s", (due, timeZone, words) => {
  expect(format(due, timeZone)).toBe(words);
});

it("calls midnight the end of the day before", () => {
  expect(format("2026-12-01T05:00:00Z")).toBe("the end of Monday, EST");
  expect(format("2026-12-01T04:50:00Z")).toBe("the end of Monday, EST");
});

it("adds the date from six days on, when the weekday alone is not clear", () => {
  expect(format("2026-12-02T11:00:00Z")).toBe("Wednesday, 6 AM EST");
  expect(format("2026-12-04T21:00:00Z")).toBe("Friday, December 4, 4 PM EST");
});
