import type { RequestRow } from "./requests.server";

const dayMs = 24 * 60 * 60 * 1000;

/** Fewer days than this are urgent. The first reminder is sent with this many days left (decision 23). */
const urgentBelowDays = 7;

type DueRequest = Pick<RequestRow, "due_on" | "is_overdue" | "closed_at">;

/**
 * Describes the time left to answer a request, e.g. "12 days left" or "Overdue".
 * @param today ISO date in the firm's time zone
 * @returns null for a closed request
 */
export function describeTimeLeft(request: DueRequest, today: string): string | null {
  if (request.is_overdue) return "Overdue";
  if (request.closed_at !== null) return null;
  const days = countDaysLeft(request, today);
  return days === 0 ? "Due today" : `${days} day${days === 1 ? "" : "s"} left`;
}

/** Checks if an open request is overdue or due within a week. */
export function isUrgent(request: DueRequest, today: string): boolean {
  return request.is_overdue || (request.closed_at === null && countDaysLeft(request, today) < urgentBelowDays);
}

function countDaysLeft({ due_on }: DueRequest, today: string): number {
  return (Date.parse(due_on) - Date.parse(today)) / dayMs;
}
