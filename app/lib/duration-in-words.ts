import { countOf } from "./count-of.ts";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;
const month = year / 12;

/**
 * Formats a duration in words. One day is "24 hours", as in REQUIREMENTS 4.9.
 * @param seconds whole minutes
 */
export function durationInWords(seconds: number): string {
  if (seconds % year === 0) return countOf(seconds / year, "year");
  if (seconds % month === 0) return countOf(seconds / month, "month");
  if (seconds % day === 0 && seconds > day) return countOf(seconds / day, "day");
  if (seconds % hour === 0) return countOf(seconds / hour, "hour");
  return countOf(seconds / minute, "minute");
}
