import { countOf } from "~/lib/count-of";
import type { RequestRow } from "./requests.server";

const dayMs = 24 * 60 * 60 * 1000;

/** Fewer days than this are urgent. The first reminder is sent with this many days left (decision 23). */
const urgentBelowDays = 7;

type DueRequest = Pick<RequestRow, "state" | "due_on" | "is_overdue" | "closed_at">;

/**
 * Describes the time left to answer a request, e.g. "12 days left" or "96 days overdue".
 * @param today ISO date in the firm's time zone
 * @returns null for a closed request, and for one whose requester has not confirmed it
 */
export function describeTimeLeft(request: DueRequest, today: string): string | null {
  if (request.closed_at !== null || request.state === "unconfirmed") return null;
  const days = countDaysLeft(request, today);
  if (days === 0) return "Due today";
  return `${countOf(Math.abs(days), "day")} ${days < 0 ? "overdue" : "left"}`;
}

/** Checks if a confirmed request is overdue or due within a week. */
export function isUrgent(request: DueRequest, today: string): boolean {
  if (request.closed_at !== null || request.state === "unconfirmed") return false;
  return countDaysLeft(request, today) < urgentBelowDays;
}

function countDaysLeft({ due_on }: DueRequest, today: string): number {
  return (Date.parse(due_on) - Date.parse(today)) / dayMs;
}
