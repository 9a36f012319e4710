import type { WithheldBy } from "../acknowledgement-limits.ts";

/**
 * Kind of a mail. Contact messages: `firm`, `acknowledgement` and `reply`. Pending work: `digest`. Data rights
 * requests: `request-firm`, `request-acknowledgement` and `request-answer`, the replies of admins. Accounts:
 * `account-link`. Members of the investor network: `network`, and `letter`; `letter-trial` is a letter that an admin
 * mails to themself. `trouble` is about the site itself.
 */
export type MailKind =
  | "firm"
  | "digest"
  | "acknowledgement"
  | "reply"
  | "request-firm"
  | "request-acknowledgement"
  | "request-answer"
  | "account-link"
  | "network"
  | "letter"
  | "letter-trial"
  | "trouble";

/**
 * Mail to be queued together with the change that it reports, as `receive_contact_submission` and similar functions
 * take it.
 */
export interface QueuedMail {
  kind: MailKind;
  /** Null: the firm, at the address set at the time of delivery. */
  recipient: string | null;
  reply_to: string | null;
  subject: string;
  body: string;
  /** For a mail to the firm: sent even though its message is held back. */
  is_of_held?: true;
  /** For a mail to the firm: text appended to the body when the sender gets no mail, or gets it later. */
  if_withheld?: Partial<Record<WithheldBy, string>>;
  /** For a mail to the firm: text appended to the body of a message whose sender asks to join the network. */
  if_joining?: Record<NetworkOutcome, string>;
}

/** Result of a wish to join the network: how its mail to confirm goes (`private.network_ask`). */
export type NetworkOutcome = "sent" | "waits" | "mailbox" | "none";

/** A mail that `claim_due_mail` leased to this worker. */
export interface ClaimedMail extends Omit<QueuedMail, "is_of_held" | "if_withheld" | "if_joining"> {
  id: string;
  /** the admin who wrote it; null for mails in the firm's name */
  sender_name: string | null;
  /** ids of earlier mails in the conversation, the oldest first */
  thread: string[];
  attempts: number;
  created_at: string;
  /** the member's link, which follows the body, and the text after it; null for other mails */
  link: { to: "page" | "letter"; token: string; closing: string } | null;
}
