/** Steps that require a reason, note or message from the admin (`private.request_steps` names them all). */
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
