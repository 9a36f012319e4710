import { formatDay } from "~/lib/dates";
import type { DataRightsRequestRecord } from "./requests.server";

/** The next step of a request. */
export interface NextStep {
  text: string;
  /** the admin's next action; null if nothing is left to do or the requester has to act */
  action: "startWork" | "lift" | keyof typeof sentences | null;
}

/** Fields of a request that decide its next step. */
export type StepRequest = Pick<
  DataRightsRequestRecord,
  | "state"
  | "request_type"
  | "frozen_at"
  | "restriction_ends_on"
  | "confirmation_expires_at"
  | "closed_at"
  | "link_waits"
  | "steps"
>;

const sentences = {
  handOver: "Review what this site holds about this person, then hand it over.",
  correct: "Correct what is stored, then complete the request.",
  erase: "Review what would be deleted, then erase it.",
  restrict: "Restrict use of the data, then complete the request.",
  outcome: "Find out what happened, then send the outcome.",
  complete: "Decide, act, then complete the request with a message.",
};

/** First action for each type. If it is no longer possible, the next step is to complete the request. */
const firstActions: Partial<Record<StepRequest["request_type"], keyof typeof sentences>> = {
  access: "handOver",
  portability: "handOver",
  rectification: "correct",
  erasure: "erase",
  restrict: "restrict",
  complaint: "outcome",
};

/**
 * Finds the next step of a request.
 * @param write formats instants and their days in the page's time zone
 */
export function findNextStep(
  request: StepRequest,
  write: { instant(instant: string): string; dayOf(instant: string): string },
): NextStep {
  if (request.state === "unconfirmed") {
    const until = request.confirmation_expires_at && write.instant(request.confirmation_expires_at);
    if (request.link_waits) return { text: "The email with the link to confirm waits for its turn.", action: null };
    return {
      text: until
        ? `Waiting for the requester to confirm. Their link is valid until ${until}.`
        : "This request has not been confirmed, and no link to confirm it works.",
      action: null,
    };
  }
  if (request.steps.includes("startWork"))
    return { text: "Start work, so that others see it is taken.", action: "startWork" };
  if (request.state === "in_progress") {
    const first = firstActions[request.request_type];
    const action = first !== undefined && request.steps.includes(first) ? first : "complete";
    return { text: sentences[action], action };
  }
  if (request.restriction_ends_on !== null)
    return {
      text: `The restriction ends on ${formatDay(request.restriction_ends_on)}. No action needed.`,
      action: null,
    };
  if (request.frozen_at !== null)
    return { text: "The data stays restricted until you announce the end of the restriction.", action: "lift" };
  const closed = request.closed_at === null ? "Closed" : `Closed on ${write.dayOf(request.closed_at)}`;
  return { text: `${closed}. No action needed.`, action: null };
}
