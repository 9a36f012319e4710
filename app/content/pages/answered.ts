/** Every word of the page behind the link “I have answered” in the firm's mail; it names no sender. */
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
