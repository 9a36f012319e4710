import { packageDays, restrictionNoticeDays } from "~/content/facts";

/** Names of the data rights request types. */
export const requestTypes = {
  access: "Access",
  rectification: "Rectification",
  erasure: "Erasure",
  portability: "Portability",
  restrict: "Restriction",
  object: "Objection",
  other: "Other",
  complaint: "Complaint",
};

/** Names of the data rights request states. */
export const requestStates = {
  unconfirmed: "Not confirmed yet",
  open: "Open",
  in_progress: "In progress",
  completed: "Completed",
  refused: "Refused",
  withdrawn: "Withdrawn",
};

/** Labels of the actions whose forms have one text field or none, and a button. */
export const actionWords = {
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
};
