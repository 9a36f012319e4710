/** The firm answers a contact message within this time (REQUIREMENTS 3.5), unless it promises another. */
export const usualReplyHours = 24;

/** Which days count for that promise: the setting REPLY_DAYS. "business" is Monday to Friday; holidays are not known. */
export const replyDays = ["all", "business"] as const;

/** One of {@link replyDays}. */
export type ReplyDays = (typeof replyDays)[number];

/** By when the firm answers: within how many hours, on which days, and where it is. */
export interface ReplyClock {
  withinHours: number;
  days: ReplyDays;
  /** IANA name, e.g. "America/New_York": the setting TIME_ZONE */
  timeZone: string;
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/**
 * By when a message must be answered.
 * @param receivedAt when it came
 * @returns as many hours later as the firm promises, not counting Saturdays and Sundays where only business days count
 */
export function answerDueAt(receivedAt: Date, { withinHours, days, timeZone }: ReplyClock): Date {
  let at = receivedAt.getTime();
  let left = withinHours * hourMs;
  if (days === "all") return new Date(at + left);
  while (left > 0) {
    const midnight = nextMidnight(at, timeZone);
    if (!isWeekend(at, timeZone)) {
      const counted = Math.min(left, midnight - at);
      left -= counted;
      if (left === 0) return new Date(at + counted);
    }
    at = midnight;
  }
  return new Date(at);
}

/** From this hour on, the day's digest is due. */
const morningHour = 7;

/**
 * The working day (Monday to Friday) whose morning has come, as the firm's clock says.
 * @returns an ISO date, or null at night and on weekends
 */
export function findWorkingMorning(now: Date, timeZone: string): string | null {
  const { day, hour } = localTime(now.getTime(), timeZone);
  return hour >= morningHour && !isWeekend(now.getTime(), timeZone) ? day : null;
}

/** Whether a time zone is known by that name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function isWeekend(at: number, timeZone: string): boolean {
  return ["Sat", "Sun"].includes(localTime(at, timeZone).weekday);
}

/** Within a minute, where clocks are set forward or back on that day as well. */
function nextMidnight(at: number, timeZone: string): number {
  const { sinceMidnightMs } = localTime(at, timeZone);
  const guess = at - sinceMidnightMs + dayMs;
  const offMs = localTime(guess, timeZone).sinceMidnightMs;
  return offMs > dayMs / 2 ? guess + dayMs - offMs : guess - offMs;
}

function localTime(at: number, timeZone: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const hour = Number(parts.hour);
  return {
    weekday: parts.weekday ?? "",
    day: `${parts.year}-${parts.month}-${parts.day}`,
    hour,
    sinceMidnightMs: ((hour * 60 + Number(parts.minute)) * 60 + Number(parts.second)) * 1000 + (at % 1000),
  };
}
