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
