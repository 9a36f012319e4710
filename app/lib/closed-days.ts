/** Days on which the firm is closed, both included: ISO dates of its calendar. */
export interface ClosedDays {
  readonly from: string;
  readonly to: string;
}

/** Most days of one range, and most ranges. */
export const closedLimits = { days: 31, ranges: 50 } as const;

/** Doctor names a list that ends within this many days. */
const warnedDays = 30;

/** Finds the last closed day if it is near or past, so that the list needs more; null if there is no list, or it goes on. */
export function findListEnd(closed: readonly ClosedDays[], today: string): string | null {
  const last = closed
    .map(({ to }) => to)
    .toSorted()
    .at(-1);
  const soon = new Date(Date.parse(today) + warnedDays * 86_400_000).toISOString().slice(0, 10);
  return last !== undefined && last <= soon ? last : null;
}

/** Writes the ranges as one text, e.g. "2026-12-24..2027-01-03,2027-05-31..2027-05-31". */
export function writeClosedDays(closed: readonly ClosedDays[]): string {
  return closed.map(({ from, to }) => `${from}..${to}`).join(",");
}

/** Reads the text of {@link writeClosedDays}; leaves out what is none. */
export function readClosedDays(text: string): ClosedDays[] {
  return [...text.matchAll(/(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})/g)].map(([, from = "", to = ""]) => ({
    from,
    to,
  }));
}

/** Tells whether the firm is closed on a day. */
export function isClosedOn(closed: readonly ClosedDays[], day: string): boolean {
  return closed.some(({ from, to }) => from <= day && day <= to);
}
