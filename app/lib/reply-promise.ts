import { type ClosedDays, isClosedOn } from "./closed-days.ts";

/** Hours within which the firm replies to a contact message (REQUIREMENTS 3.5), unless it promises another time. */
export const usualReplyHours = 24;

/** The firm's time zone unless TIME_ZONE is set. */
export const usualTimeZone = "UTC";

/** Range of hours that a firm may promise. */
export const replyHoursRange = { least: 2, most: 240 } as const;

/** Which days count toward the promise: the setting REPLY_DAYS. "business" is Monday to Friday, including holidays. */
export const replyDays = ["all", "business"] as const;

/** One of {@link replyDays}. */
export type ReplyDays = (typeof replyDays)[number];

/** The firm's promise to reply: within how many hours, on which days, and in which time zone. */
export interface ReplyClock {
  withinHours: number;
  days: ReplyDays;
  /** IANA name, e.g. "America/New_York": the setting TIME_ZONE */
  timeZone: string;
  /** days that do not count */
  closed?: readonly ClosedDays[];
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/**
 * Computes when the reply to a message is due.
 * @param receivedAt when the message arrived
 * @returns the promised number of hours later, skipping closed days, and Saturdays and Sundays if only business days count
 */
export function computeReplyDue(receivedAt: Date, { withinHours, days, timeZone, closed = [] }: ReplyClock): Date {
  let at = receivedAt.getTime();
  let left = withinHours * hourMs;
  if (days === "all" && closed.length === 0) return new Date(at + left);
  const readClock = createWallClock(timeZone);
  while (left > 0) {
    const dayEnd = findDayEnd(at, readClock);
    const { day, isWeekend } = readClock(at);
    const isOff = (isWeekend && days === "business") || isClosedOn(closed, day);
    const counted = isOff ? 0 : Math.min(left, dayEnd - at);
    left -= counted;
    at = left > 0 ? dayEnd : at + counted;
  }
  return new Date(at);
}

/** A closing is announced this many days before it begins. */
const announcedDays = 7;

/**
 * Describes when the firm is closed next, and by when it then replies, from a week before: "We are closed December 24 to
 * January 3 and reply by January 4."
 * @returns null if no closing is near
 */
export function describeClosing(now: Date, clock: ReplyClock): string | null {
  const { closed = [], timeZone } = clock;
  const readClock = createWallClock(timeZone);
  const today = readClock(now.getTime()).day;
  const horizon = addDays(today, announcedDays);
  const next = closed
    .filter(({ from, to }) => today <= to && from <= horizon)
    .toSorted((a, b) => a.from.localeCompare(b.from))[0];
  if (next === undefined) return null;
  let begin = now.getTime();
  while (readClock(begin).day < next.from) begin = findDayEnd(begin, readClock);
  // The last instant that counts belongs to the day before midnight.
  const { day } = readClock(computeReplyDue(new Date(begin), clock).getTime() - 1);
  const when = next.from === next.to ? `on ${nameDay(next.from)}` : `${nameDay(next.from)} to ${nameDay(next.to)}`;
  return `We are closed ${when} and reply by ${nameDay(day)}.`;
}

function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}

function nameDay(day: string): string {
  return new Intl.DateTimeFormat("en-US", { month: "long", day: "numeric", timeZone: "UTC" }).format(new Date(day));
}

/** The day's digest is due from this hour on. */
const morningHour = 7;

/**
 * Finds the working day (Monday to Friday, unless closed) whose morning has begun in the firm's time zone.
 * @returns an ISO date; null at night, on weekends and on closed days
 */
export function findWorkingMorning(
  now: Date,
  { timeZone, closed = [] }: Pick<ReplyClock, "timeZone" | "closed">,
): string | null {
  const { day, hour, isWeekend } = createWallClock(timeZone)(now.getTime());
  return hour >= morningHour && !isWeekend && !isClosedOn(closed, day) ? day : null;
}

/**
 * Returns true for a known time zone: an area and a location, or UTC. Rejects abbreviations, because PostgreSQL reads
 * them as fixed offsets: its CET has no summer time, but JavaScript's does.
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
 * Havana, Santiago), a day may begin at 1 AM or pass 11 PM twice, so days have no fixed length.
 */
function findDayEnd(at: number, readClock: (at: number) => WallTime): number {
  const { day, sinceMidnightMs } = readClock(at);
  const guess = at + dayMs - sinceMidnightMs;
  if (readClock(guess).day !== day && readClock(guess - 1).day === day) return guess;
  // Binary search over two days, down to a millisecond: always 28 steps, and the result is always later than `at`.
  let [same, other] = [at, at + 2 * dayMs];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (readClock(middle).day === day) same = middle;
    else other = middle;
  }
  return other;
}

/**
 * Creates a function that reads local time. Reading takes ten microseconds, creating the function thirty times as long:
 * create one per zone.
 */
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
