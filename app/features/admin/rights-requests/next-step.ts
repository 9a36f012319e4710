import { adminRequestsPage } from "~/content/account/admin-requests";
import { formatDay } from "~/lib/dates";
import type { PossibleActions } from "./request-actions";
import type { DataRightsRequestRecord } from "./requests.server";

/** What has to happen next with a request. */
export interface NextStep {
  text: string;
  /** the action by which an admin does it; null: nothing is left to do, or it is somebody else's turn */
  action: keyof PossibleActions | null;
}

/** What of a request decides about the next step. */
export type StepRequest = Pick<
  DataRightsRequestRecord,
  "state" | "request_type" | "frozen_at" | "restriction_ends_on" | "confirmation_expires_at" | "closed_at"
>;

const { next } = adminRequestsPage;

/** By what an answer to each type begins; of what is not possible (any more), the request is completed. */
const firstActions: Partial<Record<StepRequest["request_type"], keyof typeof next.byAction>> = {
  access: "handOver",
  portability: "handOver",
  rectification: "correct",
  erasure: "erase",
  restrict: "restrict",
  complaint: "outcome",
};

/**
 * Says who has to do what with a request.
 * @param write writes instants and their days in the page's time zone
 */
export function findNextStep(
  request: StepRequest,
  possible: PossibleActions,
  write: { instant(instant: string): string; dayOf(instant: string): string },
): NextStep {
  if (request.state === "unconfirmed") {
    const until = request.confirmation_expires_at && write.instant(request.confirmation_expires_at);
    return { text: next.unconfirmed(until), action: null };
  }
  if (possible.startWork) return { text: next.startWork, action: "startWork" };
  if (request.state === "in_progress") {
    const first = firstActions[request.request_type];
    const action = first !== undefined && possible[first] ? first : "complete";
    return { text: next.byAction[action], action };
  }
  if (request.restriction_ends_on !== null)
    return { text: next.restrictionEnds(formatDay(request.restriction_ends_on)), action: null };
  if (request.frozen_at !== null) return { text: next.restricted, action: "lift" };
  return { text: next.closed(request.closed_at && write.dayOf(request.closed_at)), action: null };
}
