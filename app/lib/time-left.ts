const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How much time is left, in words; `isLate` once there is none. */
export interface TimeLeft {
  isLate: boolean;
  /** e.g. "5 hours left" or "2 days late" */
  words: string;
}

/** @param dueAt ISO 8601 */
export function timeLeft(dueAt: string, now: number): TimeLeft {
  const leftMs = Date.parse(dueAt) - now;
  const isLate = leftMs < 0;
  return { isLate, words: `${largestUnit(Math.abs(leftMs))} ${isLate ? "late" : "left"}` };
}

/** A duration in the largest unit of which there are two, rounded down; a minute at least. */
export function largestUnit(ms: number): string {
  if (ms >= 2 * dayMs) return count(ms / dayMs, "day");
  if (ms >= 2 * hourMs) return count(ms / hourMs, "hour");
  return count(Math.max(ms / minuteMs, 1), "minute");
}

function count(amount: number, unit: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${unit}${whole === 1 ? "" : "s"}`;
}
