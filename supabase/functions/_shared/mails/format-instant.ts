/**
 * Formats an instant for a mail. Plain spaces only, because some mail programs show others as boxes.
 * @param first the part that the mail needs besides day and time
 * @returns e.g. "November 22, 2026 at 7:05 PM EST"
 */
export function formatInstant(
  instant: string,
  timeZone: string,
  first: { year: "numeric" } | { weekday: "long" },
): string {
  const time = { month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
  return new Intl.DateTimeFormat("en-US", { ...first, ...time, timeZone })
    .format(new Date(instant))
    .replace(/\s/gu, " ");
}
