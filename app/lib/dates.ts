/**
 * Creates a function that formats an instant in one time zone and names the zone: the server does not know the reader's
 * zone and must not guess. The formatter is expensive, so the first call creates it and later calls reuse it.
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

/** Returns true for an instant in the format of databases and JSON: ISO 8601 with an offset. */
export function isInstant(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(text);
}

const longDay = { dateStyle: "long" } as const;
const dayFormat = new Intl.DateTimeFormat("en-US", { ...longDay, timeZone: "UTC" });

/**
 * Formats a day.
 * @param day ISO date
 * @returns e.g. "October 24, 2025"
 * @throws RangeError for an instant, whose day depends on a time zone: use {@link formatDayOf}
 */
export function formatDay(day: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new RangeError("No ISO date");
  return dayFormat.format(new Date(day));
}

/**
 * Formats the day of an instant like {@link formatDay}.
 * @param instant ISO 8601
 * @param timeZone IANA name; the firm's zone, not the reader's
 */
export function formatDayOf(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-US", { ...longDay, timeZone }).format(new Date(instant));
}

const mediumDayFormat = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });

/**
 * Formats a day for a row of a list.
 * @param day ISO date
 * @returns e.g. "Oct 24, 2025"
 */
export function formatMediumDay(day: string): string {
  return mediumDayFormat.format(new Date(day));
}

/**
 * Creates a function that formats the day of an instant like {@link formatMediumDay}, for the rows of a list.
 * @param timeZone IANA name; the firm's zone, not the reader's
 */
export function mediumDayOfFormat(timeZone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone });
  return (instant) => format.format(new Date(instant));
}

const shortDayFormat = new Intl.DateTimeFormat("en-US", {
  weekday: "short",
  month: "short",
  day: "numeric",
  timeZone: "UTC",
});

/**
 * Formats a day without its year, with its weekday.
 * @param day ISO date
 * @returns e.g. "Fri, Oct 24"
 */
export function formatShortDay(day: string): string {
  return shortDayFormat.format(new Date(day));
}

/**
 * Returns the local day of an instant.
 * @param at milliseconds since 1970
 * @returns an ISO date
 */
export function localDay(at: number, timeZone: string): string {
  return isoDayFormat(timeZone).format(at);
}

/** Creates a formatter for ISO dates: the Canadian locale writes them. */
function isoDayFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
}

/**
 * Creates a function that splits an instant into date and time cells. Every spreadsheet recognizes a lone ISO date;
 * only some recognize one that is followed by a time.
 * @param timeZone IANA name
 * @returns a function that takes ISO 8601 and returns e.g. `{ date: "2025-10-24", time: "05:30:00" }`
 */
export function dateAndTimeFormat(timeZone: string): (instant: string) => { date: string; time: string } {
  // Swedish dates are ISO dates, and Swedish time has 24 hours.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return (instant) => {
    const [date = "", time = ""] = format.format(new Date(instant)).split(" ");
    return { date, time };
  };
}

const monthFormat = new Intl.DateTimeFormat("en-US", { month: "short", year: "numeric", timeZone: "UTC" });

/**
 * Formats a month.
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
  // Binary search: a day has at most 25 hours, so it began between these two instants.
  let [before, within] = [at - 26 * 60 * 60 * 1000, at];
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (format.format(middle) === day) within = middle;
    else before = middle;
  }
  return within;
}
