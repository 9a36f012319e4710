const dayMs = 24 * 60 * 60 * 1000;

/**
 * Lists the last days, oldest first.
 * @param today ISO date; the last day of the list
 */
export function listDays(today: string, count: number): string[] {
  const end = Date.parse(today);
  return Array.from({ length: count }, (_, n) => new Date(end - (count - 1 - n) * dayMs).toISOString().slice(0, 10));
}

/**
 * Lists the last months, oldest first, e.g. "2026-11".
 * @param today ISO date in the last month of the list
 */
export function listMonths(today: string, count: number): string[] {
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  return Array.from({ length: count }, (_, n) =>
    new Date(Date.UTC(year, month - 1 - (count - 1 - n))).toISOString().slice(0, 7),
  );
}
