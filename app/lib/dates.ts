/**
 * Makes what writes an instant in words, in one time zone and naming it: the server does not know the reader's clock, and must not guess.
 * What takes long of that is done at its first call, and once: a page with no instant in it pays nothing, and one with fifty not fifty times.
 * @param timeZone IANA name, e.g. "America/New_York"
 * @returns a function that takes ISO 8601 and returns e.g. "Oct 24, 2025, 5:30 AM EDT"
 */
export function instantFormat(timeZone: string): (instant: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (instant) => {
    format ??= new Intl.DateTimeFormat("en-US", {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
      timeZoneName: "short",
      timeZone,
    });
    return format.format(new Date(instant));
  };
}

/** An instant as {@link instantFormat} writes it, in UTC: for whoever is in no time zone that the site knows. */
export const formatInstant = instantFormat("UTC");

const dayFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/**
 * The day of an instant in words, in UTC.
 * @param instant ISO 8601
 * @returns e.g. "October 24, 2025"
 */
export function formatDay(instant: string): string {
  return dayFormat.format(new Date(instant));
}

const shortDayFormat = new Intl.DateTimeFormat("en-US", {
  weekday: "short",
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});

/**
 * A day among those around it, in words.
 * @param day ISO date
 * @returns e.g. "Fri, Oct 24"
 */
export function formatShortDay(day: string): string {
  return shortDayFormat.format(new Date(day));
}

/**
 * The day that it is somewhere.
 * @param at milliseconds since 1970
 * @returns an ISO date
 */
export function localDay(at: number, timeZone: string): string {
  // The format of this locale is an ISO date.
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(at);
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
