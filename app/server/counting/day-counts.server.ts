import { type CountKind, type DayReport, countKinds, mostNamesInReport, otherName } from "~/lib/day-counts";

/** Daily counts in memory: sums by name, and no data about individual visitors. */
export type DayCounts = ReturnType<typeof createDayCounts>;

/** Days that wait for the database; beyond that, the oldest is dropped. */
const mostDays = 8;

type Names = Record<CountKind, Map<string, number>>;

/**
 * Creates empty daily counts.
 * @param today current day at the firm, an ISO date
 */
export function createDayCounts(today: () => string) {
  const days = new Map<string, Names>();

  function getToday(): Names {
    const known = days.get(today());
    if (known !== undefined) return known;
    const names = Object.fromEntries(countKinds.map((kind) => [kind, new Map()])) as unknown as Names;
    days.set(today(), names);
    const [oldest] = days.keys();
    if (days.size > mostDays && oldest !== undefined) days.delete(oldest);
    return names;
  }

  return {
    /**
     * Adds one to today's count. Names beyond the first {@link mostNamesInReport} of a kind and day count as `(other)`.
     */
    add(kind: CountKind, name: string): void {
      const names = getToday()[kind];
      const count = names.get(name);
      if (count !== undefined) names.set(name, count + 1);
      else if (names.size < mostNamesInReport) names.set(name, 1);
      else names.set(otherName, (names.get(otherName) ?? 0) + 1);
    },
    /** Returns the number of days with counts. */
    countDays: () => days.size,
    /** Removes the oldest day and returns it for storage in the database; null if nothing was counted. */
    take(): DayReport | null {
      const [oldest] = days;
      if (oldest === undefined) return null;
      const [day, kinds] = oldest;
      days.delete(day);
      const counted = countKinds.filter((kind) => kinds[kind].size > 0);
      return { day, counts: Object.fromEntries(counted.map((kind) => [kind, Object.fromEntries(kinds[kind])])) };
    },
  };
}
