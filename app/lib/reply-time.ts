const quarterMs = 15 * 60 * 1000;
const nearMs = 6 * 24 * 60 * 60 * 1000;

/**
 * Puts the time of a promised reply into words that hold for readers in every time zone: a weekday instead of
 * "tomorrow", and the zone. Rounds up to a quarter of an hour, so that the page never promises an earlier reply than
 * the firm's inbox.
 * @param due when the reply is due
 * @param now from a week before it, the weekday gets a date
 * @param timeZone IANA name of the firm's zone
 * @returns e.g. "Friday, 4:15 PM EST" or "the end of Monday, EST"; spaces within the time do not break
 */
export function formatReplyTime(due: Date, now: Date, timeZone: string): string {
  const at = Math.ceil(due.getTime() / quarterMs) * quarterMs;
  const { hour, minute, dayPeriod, timeZoneName } = readParts(at, timeZone);
  const isNear = at - now.getTime() < nearMs;
  if (hour === "12" && minute === "00" && dayPeriod === "AM")
    return `the end of ${formatDayAt(at - 1, isNear, timeZone)}, ${timeZoneName}`;
  const time = minute === "00" ? hour : `${hour}:${minute}`;
  return `${formatDayAt(at, isNear, timeZone)}, ${time}\u00a0${dayPeriod}\u00a0${timeZoneName}`;
}

function readParts(at: number, timeZone: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  });
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of format.formatToParts(at)) parts[type] = value;
  return parts;
}

function formatDayAt(at: number, isNear: boolean, timeZone: string): string {
  const date = isNear ? {} : ({ month: "long", day: "numeric" } as const);
  return new Intl.DateTimeFormat("en-US", { weekday: "long", ...date, timeZone }).format(at);
}
