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

/** Tests for an instant as databases and JSON write it: ISO 8601 with an offset. */
export function isInstant(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
}

const longDay = { dateStyle: "long" } as const;
const dayFormat = new Intl.DateTimeFormat("en-US", { ...longDay, timeZone: "UTC" });

/**
 * A day in words.
 * @param day ISO date
 * @returns e.g. "October 24, 2025"
 * @throws RangeError for an instant, whose day depends on a time zone: use {@link formatDayOf}
 */
export function formatDay(day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new RangeError("No ISO date");
  return dayFormat.format(new Date(day));
}

/**
 * The day of an instant in words, as {@link formatDay} writes it.
 * @param instant ISO 8601
 * @param timeZone IANA name; the firm's, not the reader's
 */
export function formatDayOf(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-US", { ...longDay, timeZone }).format(new Date(instant));
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
  return isoDayFormat(timeZone).format(at);
}

/** Uses a locale whose dates are ISO dates. */
function isoDayFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
}

/**
 * Creates a function that splits an instant into date and time cells. Every spreadsheet recognizes a lone ISO date; only some recognize
 * one that is followed by a time.
 * @param timeZone IANA name
 * @returns takes ISO 8601 and returns e.g. `{ date: "2025-10-24", time: "05:30:00" }`
 */
export function dateAndTimeFormat(timeZone: string): (instant: string) => { date: string; time: string } {
  // Swedish dates are ISO dates, and its clock has 24 hours.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return (instant) => {
    const [date = "", time = ""] = format.format(new Date(instant)).split(" ");
    return { date, time };
  };
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

/**
 * Finds the start of a local day.
 * @param at milliseconds since 1970, within that day
 * @returns milliseconds since 1970. Where clocks go forward at midnight, the first instant of the day is 1:00.
 */
export function startOfLocalDay(at: number, timeZone: string): number {
  const format = isoDayFormat(timeZone);
  const day = format.format(at);
  // Binary search: a day has at most 25 hours, so it began between these two.
  let [before, within] = [at - 26 * 60 * 60 * 1000, at];
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (format.format(middle) === day) within = middle;
    else before = middle;
  }
  return within;
}
