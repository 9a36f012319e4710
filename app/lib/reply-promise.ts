/** The firm answers a contact message within this time (REQUIREMENTS 3.5), unless it promises another. */
export const usualReplyHours = 24;

/** A firm may promise to answer within this many hours. */
export const replyHoursRange = { least: 2, most: 240 } as const;

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
 * Computes when a message must be answered.
 * @param receivedAt when it arrived
 * @returns as many hours later as the firm promises, not counting Saturdays and Sundays when only business days count
 */
export function answerDueAt(receivedAt: Date, { withinHours, days, timeZone }: ReplyClock): Date {
  let at = receivedAt.getTime();
  let left = withinHours * hourMs;
  if (days === "all") return new Date(at + left);
  const readClock = createWallClock(timeZone);
  while (left > 0) {
    const dayEnd = findDayEnd(at, readClock);
    const counted = readClock(at).isWeekend ? 0 : Math.min(left, dayEnd - at);
    left -= counted;
    at = left > 0 ? dayEnd : at + counted;
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
  const { day, hour, isWeekend } = createWallClock(timeZone)(now.getTime());
  return hour >= morningHour && !isWeekend ? day : null;
}

/**
 * Tests for a known time zone: an area and a place, or UTC. Abbreviations are refused, because PostgreSQL reads them as fixed offsets: its
 * CET has no summer time, and JavaScript's has.
 */
export function isTimeZone(name: string): boolean {
  if (name !== "UTC" && !name.includes("/")) return false;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** Local time at an instant. */
interface WallTime {
  /** ISO date */
  day: string;
  isWeekend: boolean;
  hour: number;
  sinceMidnightMs: number;
}

/**
 * Finds the first instant after `at` on another local day. Where clocks change at midnight (Cairo, Beirut, the Azores,
 * Havana, Santiago), a day may begin at 1 AM or pass 11 PM twice, so no day has a length to rely on.
 */
function findDayEnd(at: number, readClock: (at: number) => WallTime): number {
  const { day, sinceMidnightMs } = readClock(at);
  const guess = at + dayMs - sinceMidnightMs;
  if (readClock(guess).day !== day && readClock(guess - 1).day === day) return guess;
  // Halves two days down to a millisecond: always 28 steps, and always later than `at`.
  let [same, other] = [at, at + 2 * dayMs];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (readClock(middle).day === day) same = middle;
    else other = middle;
  }
  return other;
}

/** Creates a reader of local time. Reading takes ten microseconds, creating thirty times as long: create one per zone. */
function createWallClock(timeZone: string): (at: number) => WallTime {
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
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const hour = Number(parts.hour);
    return {
      day: `${parts.year}-${parts.month}-${parts.day}`,
      isWeekend: ["Sat", "Sun"].includes(parts.weekday ?? ""),
      hour,
      sinceMidnightMs: ((hour * 60 + Number(parts.minute)) * 60 + Number(parts.second)) * 1000 + (at % 1000),
    };
  };
}
