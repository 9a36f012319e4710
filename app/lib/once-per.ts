/**
 * Keeps what happens often from being told often.
 * @param intervalMs how long one telling is enough
 * @returns a function that says yes to the first call about a subject, and again when the interval is over
 */
export function oncePer(intervalMs: number): (subject?: string) => boolean {
  const toldAt = new Map<string, number>();
  return (subject = "") => {
    const now = performance.now();
    if (now - (toldAt.get(subject) ?? -Infinity) < intervalMs) return false;
    toldAt.set(subject, now);
    return true;
  };
}
