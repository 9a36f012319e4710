/**
 * Limits how often a recurring event is reported.
 * @param intervalMs shortest time between two reports on a subject
 * @returns a function that returns true for the first call about a subject, and again once the interval has passed
 */
export function oncePer(intervalMs: number): (subject?: string) => boolean {
  const reportedAt = new Map<string, number>();
  return (subject = "") => {
    const now = performance.now();
    if (now - (reportedAt.get(subject) ?? -Infinity) < intervalMs) return false;
    reportedAt.set(subject, now);
    return true;
  };
}
