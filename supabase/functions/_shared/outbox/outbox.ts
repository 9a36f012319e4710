import type { WithheldBy } from "../acknowledgement-limits.ts";

/**
 * What a mail is: of a contact message those to the firm, the acknowledgement and the replies; the digest of what waits; of a data rights
 * request the first two and whatever an admin answers; a link into an account.
 */
export type MailKind =
  | "firm"
  | "digest"
  | "acknowledgement"
  | "reply"
  | "request-firm"
  | "request-acknowledgement"
  | "request-answer"
  | "account-link";

/** A mail to be queued with what it tells of, as `receive_contact_submission` and its like take it. */
export interface QueuedMail {
  kind: MailKind;
  /** Null: the firm, at the address that is set when the mail goes out. */
  recipient: string | null;
  reply_to: string | null;
  subject: string;
  body: string;
  /** Of a mail to the firm that quotes nothing: `{{reference}}` and `{{id}}` of the message are filled in. */
  is_notice?: true;
  /** Of a mail to the firm: it leaves although its message is held back. */
  is_of_held?: true;
  /** Of a mail to the firm: what is added to its body when the sender is sent no acknowledgement. */
  if_withheld?: Record<WithheldBy, string>;
}

/** A mail that `claim_due_mail` leased to this worker. */
export interface ClaimedMail extends Omit<QueuedMail, "is_notice" | "is_of_held" | "if_withheld"> {
  id: string;
  /** ids of the mails that it follows in a conversation, the oldest first */
  thread: string[];
  attempts: number;
  created_at: string;
}
