import { localDay, startOfLocalDay } from "./dates";

/** What day it is at the firm. */
export interface LocalClock {
  /** ISO date */
  today(): string;
  /** When the day began: ISO 8601, the same for everybody who asks on that day. */
  startOfToday(): string;
}

const minuteMs = 60_000;

/**
 * Tells the day in one time zone, for every request: it looks once a minute, because days begin with a minute in every time zone.
 * @param timeZone IANA name
 * @param now milliseconds since 1970
 */
export function createLocalClock(timeZone: string, now: () => number = Date.now): LocalClock {
  let minute: number | undefined;
  let day = "";
  let start = "";

  function look() {
    const current = Math.floor(now() / minuteMs);
    if (current === minute) return;
    minute = current;
    const found = localDay(current * minuteMs, timeZone);
    if (found === day) return;
    day = found;
    start = new Date(startOfLocalDay(current * minuteMs, timeZone)).toISOString();
  }

  return {
    today() {
      look();
      return day;
    },
    startOfToday() {
      look();
      return start;
    },
  };
}
