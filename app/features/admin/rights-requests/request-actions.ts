import type { DataRightsRequestRecord } from "./requests.server";

/** What an admin may do with a request (the table in supabase/migrations, data_rights_requests). */
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

/** The actions that need a reason, a note or a message of the admin's. */
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

/** Most characters of that text, as the database counts them too (private.require_words). */
export const adminsTextLimit = 2_000;

/** One of {@link textIntents}. */
export type TextIntent = (typeof textIntents)[number];

/** A rejected form, to be shown again with the admin's text. */
export interface FailedChange {
  intent: string;
  text: string;
  error: string;
  /** of a correction: which message and which field */
  submission: string;
  field: string;
  /** of an erasure: where else it was done */
  elsewhere: string[];
}

/**
 * Which actions the page offers; the database decides again when one is used.
 * @param today the firm's day, as an ISO date
 */
export function listPossibleActions(request: DataRightsRequestRecord, today: string): PossibleActions {
  const { state, request_type: type } = request;
  const isWorkedOn = state === "open" || state === "in_progress";
  const asksFor = (...types: string[]) => types.includes(type);
  // A complaint proves nothing about who wrote it, so nothing is given out, changed, restricted or erased for it.
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
