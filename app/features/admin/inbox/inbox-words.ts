/** Names of message states and of the filters. */
export const stateNames = {
  waiting: "Needs an answer",
  late: "Late",
  all: "All",
  new: "New",
  in_progress: "In progress",
  done: "Done",
  spam: "Spam",
  quarantined: "Held back",
};

/** Explanations for held-back messages, by the reason in the database. */
export const quarantineReasons: Readonly<Record<string, string>> = {
  honeypot: "Held back: the hidden field was filled in.",
};

/** Entries of a message's log in words, by action. */
export const messageActions: Readonly<Record<string, string>> = {
  "submission-new": "moved to New",
  "submission-in_progress": "marked as in progress",
  "submission-done": "marked as done",
  "submission-spam": "marked as spam",
  "submission-restored": "restored",
  "submission-corrected": "corrected at the sender’s request",
  "submission-replied": "replied",
  "submission-undelivered": "the reply was not delivered; moved back to In progress",
  "submission-address-corrected": "corrected the address",
  "submission-resent": "sent the email again",
  "submission-reply-taken-back": "took the reply back",
  "submission-undone": "last change undone",
  "submission-answered-by-link": "marked as answered by the link in an email",
};
