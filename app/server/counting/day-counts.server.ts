import { localDay } from "~/lib/dates";
import { type CountKind, type DayReport, countKinds, mostNamesInReport, otherName } from "~/lib/day-counts";

/** Daily counts in memory: sums by name, and no data about individual visitors. */
export interface DayCounts {
  /**
   * Adds one to today's count. Names beyond the first {@link mostNamesInReport} of a kind and day count as `(other)`.
   */
  add(kind: CountKind, name: string): void;
  /** Returns the number of days with counts. */
  countDays(): number;
  /** Removes the oldest day and returns it for storage in the database; null if nothing was counted. */
  take(): DayReport | null;
}

/** Days that wait for the database; beyond that, the oldest is dropped. */
const mostDays = 8;
const minuteMs = 60_000;

type Names = Record<CountKind, Map<string, number>>;

/**
 * Creates empty daily counts.
 * @param timeZone time zone that defines midnight, e.g. "Europe/Berlin"
 * @param now milliseconds since 1970
 */
export function createDayCounts(timeZone: string, now: () => number = Date.now): DayCounts {
  const days = new Map<string, Names>();
  let minute = -1;
  let today: Names | undefined;

  /** Returns today's counts. Days start at a full minute in every time zone, so the day is looked up once a minute. */
  function getToday(): Names {
    const current = Math.floor(now() / minuteMs);
    if (today !== undefined && current === minute) return today;
    minute = current;
    const day = localDay(current * minuteMs, timeZone);
    today = days.get(day);
    if (today !== undefined) return today;
    today = Object.fromEntries(countKinds.map((kind) => [kind, new Map()])) as unknown as Names;
    days.set(day, today);
    const [oldest] = days.keys();
    if (days.size > mostDays && oldest !== undefined) days.delete(oldest);
    return today;
  }

  return {
    add(kind, name) {
      const names = getToday()[kind];
      const count = names.get(name);
      if (count !== undefined) names.set(name, count + 1);
      else if (names.size < mostNamesInReport) names.set(name, 1);
      else names.set(otherName, (names.get(otherName) ?? 0) + 1);
    },
    countDays: () => days.size,
    take() {
      const [oldest] = days;
      if (oldest === undefined) return null;
      const [day, kinds] = oldest;
      days.delete(day);
      today = undefined;
      const counted = countKinds.filter((kind) => kinds[kind].size > 0);
      return { day, counts: Object.fromEntries(counted.map((kind) => [kind, Object.fromEntries(kinds[kind])])) };
    },
  };
}
