import { packageDays, restrictionNoticeDays } from "../facts";

/** The words of everything that an admin can do about a data rights request. */
export const adminRequestActions = {
  title: "What you can do",
  unsent: "Your text, which was not sent",
  startWork: { title: "Start work", button: "Start work", hint: "This marks the request as in progress." },
  note: {
    title: "Add a note",
    button: "Add note",
    label: "Note",
    hint: "It stays in the log. The requester gets it with their data if they ask for a copy.",
  },
  extend: {
    title: "Extend the deadline",
    button: "Extend",
    label: "Reason",
    hint: "Once, before the due date. The requester gets your reason by email.",
  },
  package: {
    title: "Download what this site holds about this person",
    json: "Download as JSON",
    html: "Download as a readable page",
    hint: "All messages, requests and emails under this address. Every download is logged.",
  },
  handOver: {
    title: "Hand over the data",
    button: "Hand over",
    label: "Message to the requester",
    hint: `It is emailed to the requester and closes the request. For ${packageDays} days the requester can download everything held under this address as it is now, through the status link and a second link that is mailed.`,
  },
  complete: {
    title: "Complete the request",
    button: "Complete",
    label: "Message to the requester",
    hint: "It is emailed to the requester and closes the request.",
  },
  outcome: {
    title: "Tell the outcome of the complaint",
    button: "Send the outcome",
    label: "Outcome",
    hint: "What you looked into, what you found and what you changed. It is emailed to the person, with where to complain further, and closes the complaint.",
  },
  refuse: {
    title: "Refuse the request",
    button: "Refuse",
    label: "Reason",
    hint: "It is emailed to the requester, with how to complain, and closes the request.",
  },
  resend: {
    title: "Send the confirmation again",
    button: "Send again",
    hint: "Sends new links. The old ones stop working.",
  },
  acknowledge: {
    title: "Send the acknowledgement again",
    button: "Send again",
    hint: "Whoever complains must be told that the complaint has come. Sends a new status link; the old one stops working.",
  },
  erase: {
    title: "Erase what this site holds about this person",
    button: "Erase permanently",
    hint: "This cannot be undone. It reaches this site’s database and mail files. One last email tells the requester what was erased and what was not.",
    preview: "This will be deleted:",
    elsewhere: {
      title: "This site cannot reach the rest. What have you done there?",
      hint: "What you check becomes part of the proof, and the email to the requester says so.",
      places: {
        mailbox: "Deleted the person’s emails, and this site’s emails about them, from our mailboxes",
        exports: "Deleted the person from downloaded CSV files and data packages",
        advisers: "Told the advisors and others who received the data to delete it",
        google: "Deleted the person’s visits from Google Analytics, as far as we can tell which they are",
      },
    },
    mentions: (count: number) =>
      `The address also appears in ${count} ${count === 1 ? "text" : "texts"} from or to other people. Those are kept; please check them.`,
    /** one of each, and any other number */
    kinds: {
      submissions: ["message", "messages"],
      replies: ["reply or draft", "replies and drafts"],
      requests: ["request (this one)", "requests (this one among them)"],
      mails: ["email", "emails"],
      events: ["log entry", "log entries"],
      links: ["link", "links"],
      receipts: ["receipt", "receipts"],
    } as Record<string, readonly [string, string]>,
  },
  restrict: {
    title: "Restrict use of the data",
    button: "Restrict",
    label: "Reason",
    hint: "What this site holds under this address is left out of its lists, exports and emails until the restriction ends. Files downloaded and emails sent before are not reached. This request moves to “Restricted”.",
  },
  lift: {
    title: "End the restriction",
    button: "Announce the end",
    label: "Reason",
    hint: `The requester is told by email now, with your reason. The restriction ends ${restrictionNoticeDays} days later.`,
  },
  keepRestriction: {
    title: "Keep the restriction",
    button: "Keep",
    label: "Reason",
    hint: "Calls off the announced end. The requester gets your reason by email.",
  },
  correct: {
    title: "Correct what is stored",
    button: "Save correction",
    hint: "Changes the stored message. The log keeps a fingerprint of the old text, not the text. Copies in mailboxes and in files that were downloaded stay as they are: correct those too.",
    none: "No messages are stored under this address.",
    /** @param when an instant in words */
    message: (when: string) => `Message of ${when}`,
    /** @param text as it is stored, beside a correction that was not taken */
    now: (text: string) => `Stored now: ${text}`,
  },
} as const;
