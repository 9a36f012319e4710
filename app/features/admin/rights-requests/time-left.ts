import { adminRequestsPage } from "~/content/account/admin-requests";
import type { RequestRow } from "./requests.server";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * How long is left to answer a request, e.g. "12 days left" or "Overdue".
 * @param today ISO date in UTC
 * @returns null once it is closed
 */
export function describeTimeLeft(
  { due_on, is_overdue, closed_at }: Pick<RequestRow, "due_on" | "is_overdue" | "closed_at">,
  today: string,
): string | null {
  if (is_overdue) return adminRequestsPage.overdue;
  if (closed_at !== null) return null;
  return adminRequestsPage.daysLeft((Date.parse(due_on) - Date.parse(today)) / dayMs);
}
