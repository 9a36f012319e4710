import { dataRightsDeadline } from "~/content/facts";

/**
 * Finds the day by which a data rights request is to be answered, and confirmed (GDPR, article 12(3)): after 30 days,
 * or a month if that is shorter. A test compares it with the database, which decides.
 * @param receivedOn ISO date
 * @returns an ISO date
 */
export function findDueDay(receivedOn: string): string {
  const [year = 0, month = 0, day = 0] = receivedOn.split("-").map(Number);
  const daysInNextMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const inAMonth = Date.UTC(year, month, Math.min(day, daysInNextMonth));
  const inThirtyDays = Date.UTC(year, month - 1, day + dataRightsDeadline.responseDays);
  return new Date(Math.min(inAMonth, inThirtyDays)).toISOString().slice(0, 10);
}
