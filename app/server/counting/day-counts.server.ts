import { localDay } from "~/lib/dates";
import { type CountKind, type DayReport, countKinds, mostNamesInReport, otherName } from "~/lib/day-counts";

/** Counts by the day, in memory. They hold numbers under names, and nothing of whoever was counted. */
export interface DayCounts {
  /** Counts one, today. A name beyond the first {@link mostNamesInReport} of its kind and day counts as `(other)`. */
  add(kind: CountKind, name: string): void;
  /** How many days hold counts now. */
  countDays(): number;
  /** Takes the oldest day out, to be put into the database; null when nothing was counted. */
  take(): DayReport | null;
}

/** More days than this wait for no database: the oldest is given up. */
const mostDays = 8;
const minuteMs = 60_000;

type Names = Record<CountKind, Map<string, number>>;

/**
 * @param timeZone in which a day begins at midnight, e.g. "Europe/Berlin"
 * @param now milliseconds since 1970
 */
export function createDayCounts(timeZone: string, now: () => number = Date.now): DayCounts {
  const days = new Map<string, Names>();
  let minute = -1;
  let today: Names | undefined;

  /** Days begin with a minute, in every time zone: within one, nothing has to be found anew. */
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
      const before = names.get(name);
      if (before !== undefined) names.set(name, before + 1);
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
