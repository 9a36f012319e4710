const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;
const month = year / 12;

/**
 * Formats a duration in words. One day is "24 hours", as in REQUIREMENTS 4.9.
 * @param seconds whole minutes
 */
export function durationInWords(seconds: number): string {
  if (seconds % year === 0) return count(seconds / year, "year");
  if (seconds % month === 0) return count(seconds / month, "month");
  if (seconds % day === 0 && seconds > day) return count(seconds / day, "day");
  if (seconds % hour === 0) return count(seconds / hour, "hour");
  return count(seconds / minute, "minute");
}

function count(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}
