/** A mail to be queued with its submission, as `receive_contact_submission` takes it. */
export interface QueuedMail {
  kind: "firm" | "acknowledgement";
  /** Null: the firm, at the address that is set when the mail goes out. */
  recipient: string | null;
  reply_to: string | null;
  subject: string;
  body: string;
}

/** A mail that `claim_due_mail` leased to this worker. */
export interface ClaimedMail extends QueuedMail {
  id: string;
  attempts: number;
  created_at: string;
}
