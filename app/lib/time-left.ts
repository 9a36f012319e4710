import { countOf } from "./count-of.ts";

const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Time until a deadline, in words. */
export interface TimeLeft {
  isLate: boolean;
  /** e.g. "5 hours left" or "2 days late" */
  words: string;
}

/**
 * Describes the time until a deadline.
 * @param dueAt ISO 8601
 */
export function timeLeft(dueAt: string, now: number): TimeLeft {
  const leftMs = Date.parse(dueAt) - now;
  const isLate = leftMs < 0;
  return { isLate, words: `${largestUnit(Math.abs(leftMs))} ${isLate ? "late" : "left"}` };
}

/** Formats a duration in the largest unit of which it has at least two, rounded down; at least one minute. */
export function largestUnit(ms: number): string {
  if (ms >= 2 * dayMs) return countOf(Math.floor(ms / dayMs), "day");
  if (ms >= 2 * hourMs) return countOf(Math.floor(ms / hourMs), "hour");
  return countOf(Math.max(Math.floor(ms / minuteMs), 1), "minute");
}
