import type { DataRightsRequestRecord } from "./requests.server";

/** Actions that an admin may take on a request (see the table of transitions in the migration "requests"). */
export interface PossibleActions {
  startWork: boolean;
  note: boolean;
  extend: boolean;
  package: boolean;
  correct: boolean;
  handOver: boolean;
  complete: boolean;
  outcome: boolean;
  refuse: boolean;
  resend: boolean;
  acknowledge: boolean;
  erase: boolean;
  restrict: boolean;
  lift: boolean;
  keepRestriction: boolean;
}

/** Actions that require a reason, note or message from the admin. */
export const textIntents = [
  "note",
  "extend",
  "handOver",
  "complete",
  "outcome",
  "refuse",
  "restrict",
  "lift",
  "keepRestriction",
] as const;

/** Most characters of that text. The database counts the same (private.require_words). */
export const adminsTextLimit = 2_000;

/** One of {@link textIntents}. */
export type TextIntent = (typeof textIntents)[number];

/** A rejected form, shown again with the admin's text. */
export interface FailedChange {
  intent: string;
  text: string;
  error: string;
  /** message and field of a correction */
  submission: string;
  field: string;
  /** places checked in an erasure */
  elsewhere: string[];
}

/**
 * Lists the actions that the page offers. The database checks again when one is used.
 * @param today ISO date in the firm's time zone
 */
export function listPossibleActions(request: DataRightsRequestRecord, today: string): PossibleActions {
  const { state, request_type: type } = request;
  const isWorkedOn = state === "open" || state === "in_progress";
  const asksFor = (...types: string[]) => types.includes(type);
  // A complaint does not prove its author's identity, so it never discloses, changes, restricts or erases data.
  const isComplaint = type === "complaint";
  return {
    startWork: state === "open",
    note: true,
    extend: isWorkedOn && !isComplaint && request.extension_reason === null && today < request.due_on,
    package: !isComplaint && (isWorkedOn || state === "completed"),
    correct: isWorkedOn && asksFor("rectification", "other"),
    handOver: isWorkedOn && asksFor("access", "portability", "other"),
    complete: isWorkedOn && !isComplaint,
    outcome: isWorkedOn && isComplaint,
    refuse: (isWorkedOn && !isComplaint) || state === "unconfirmed",
    resend: state === "unconfirmed",
    acknowledge: isWorkedOn && isComplaint,
    erase: isWorkedOn && asksFor("erasure", "object", "other"),
    restrict: isWorkedOn && request.frozen_at === null && asksFor("restrict", "object", "rectification", "other"),
    lift: !isComplaint && request.frozen_at !== null && request.restriction_ends_on === null,
    keepRestriction: !isComplaint && request.restriction_ends_on !== null,
  };
}
