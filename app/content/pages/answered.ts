/** All texts of the page behind the link “I have answered” in the firm's email. It does not name the sender. */
export const answeredPage = {
  title: "Have you answered this message?",
  done: "This message is marked as answered",
  /** @param received an instant in words */
  which: (reference: string, received: string) => `Message ${reference}, received ${received}.`,
  confirm: "Yes, mark as answered",
  /** @param answered an instant in words */
  since: (answered: string) => `Marked on ${answered}. If that is a mistake, move it back to New in the inbox.`,
  inbox: "Open the inbox",
} as const;
