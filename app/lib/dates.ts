const format = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/**
 * An instant in words, in UTC and saying so: the server does not know the reader's clock, and must not guess.
 * @param instant ISO 8601
 * @returns e.g. "Oct 24, 2025, 9:30 AM UTC"
 */
export function formatInstant(instant: string): string {
  return `${format.format(new Date(instant))} UTC`;
}

const dayFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/**
 * The day of an instant in words, in UTC.
 * @param instant ISO 8601
 * @returns e.g. "October 24, 2025"
 */
export function formatDay(instant: string): string {
  return dayFormat.format(new Date(instant));
}

const monthFormat = new Intl.DateTimeFormat("en-US", { month: "short", year: "numeric", timeZone: "UTC" });

/**
 * A month in words.
 * @param month e.g. "2026-11"
 * @returns e.g. "Nov 2026"
 */
export function formatMonth(month: string): string {
  return monthFormat.format(new Date(`${month}-01`));
}
