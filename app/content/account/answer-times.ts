import { replyPromise } from "../company";

/** Every word of the page about how quickly messages are answered. */
export const answerTimesPage = {
  title: "Time to Answer",
  lead: `The site promises a reply within ${replyPromise}. A message counts as answered when somebody replies to it here, or marks it as done, here or by the link in an email. Spam does not count. The median is of what is answered; in time are those that were answered within the promise, of all that were answered or are late.`,
  columns: {
    month: "Month",
    messages: "Messages",
    median: "Median",
    inTime: "In time",
  },
  /** of nothing there is neither a median nor a share */
  none: "–",
  empty: "No messages in the last twelve months.",
};
