const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/**
 * An instant in words, in UTC and saying so: the server does not know the reader's clock, and must not guess.
 * @param instant ISO 8601
 * @returns e.g. "24 Oct 2025, 09:30 UTC"
 */
export function formatInstant(instant: string): string {
  return `${format.format(new Date(instant))} UTC`;
}

const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/**
 * The day of an instant in words, in UTC.
 * @param instant ISO 8601
 * @returns e.g. "24 October 2025"
 */
export function formatDay(instant: string): string {
  return dayFormat.format(new Date(instant));
}
