import { localDay, startOfLocalDay } from "./dates";

/** The firm's calendar. */
export type LocalClock = ReturnType<typeof createLocalClock>;

const minuteMs = 60_000;

/**
 * Creates a calendar that is cheap enough for every request. It reads the clock at most once a minute: in every time
 * zone, days begin on a whole minute.
 * @param timeZone IANA name
 * @param now milliseconds since 1970
 */
export function createLocalClock(timeZone: string, now: () => number = Date.now) {
  let minute: number | undefined;
  let day = "";
  let start = "";

  function refresh() {
    const current = Math.floor(now() / minuteMs);
    if (current === minute) return;
    minute = current;
    const today = localDay(current * minuteMs, timeZone);
    if (today === day) return;
    day = today;
    start = new Date(startOfLocalDay(current * minuteMs, timeZone)).toISOString();
  }

  return {
    /** Returns the ISO date. */
    today(): string {
      refresh();
      return day;
    },
    /** Returns the start of the day in ISO 8601; the same value all day. */
    startOfToday(): string {
      refresh();
      return start;
    },
  };
}
