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
