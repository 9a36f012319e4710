import { packageDays, restrictionNoticeDays } from "~/content/facts";

/** Names of the data rights request states. */
export const requestStates = {
  unconfirmed: "Not confirmed yet",
  open: "Open",
  in_progress: "In progress",
  completed: "Completed",
  refused: "Refused",
  withdrawn: "Withdrawn",
};

/** Words of the steps that require a reason, note or message from the admin (`private.request_steps` names all steps). */
export const textSteps = {
  note: {
    title: "Add a note",
    button: "Add note",
    label: "Note",
    hint: "Stays in the history. The requester sees it if they get a copy of their data.",
  },
  extend: {
    title: "Extend the deadline",
    button: "Extend",
    label: "Reason",
    hint: "You can do this once, before the due date. The requester gets your reason by email.",
  },
  handOver: {
    title: "Hand over the data",
    button: "Hand over",
    label: "Message to the requester",
    hint: `Emails your message to the requester and closes the request. For ${packageDays} days, they can download everything stored under this address as it is now, through the status link and a second link by email.`,
  },
  complete: {
    title: "Complete the request",
    button: "Complete",
    label: "Message to the requester",
    hint: "Emails your message to the requester and closes the request.",
  },
  outcome: {
    title: "Send the outcome of the complaint",
    button: "Send the outcome",
    label: "Outcome",
    hint: "Say what you looked into, what you found and what you changed. Emails this to the person, with where else they can complain, and closes the complaint.",
  },
  refuse: {
    title: "Refuse the request",
    button: "Refuse",
    label: "Reason",
    hint: "Emails your reason to the requester, with how to complain, and closes the request.",
  },
  restrict: {
    title: "Restrict use of the data",
    button: "Restrict",
    label: "Reason",
    hint: "Leaves everything stored under this address out of lists, exports and emails until the restriction ends. Does not affect files already downloaded or emails already sent. This request moves to “Restricted”.",
  },
  lift: {
    title: "End the restriction",
    button: "Announce the end",
    label: "Reason",
    hint: `Emails your reason to the requester now. The restriction ends ${restrictionNoticeDays} days later.`,
  },
  keepRestriction: {
    title: "Keep the restriction",
    button: "Keep",
    label: "Reason",
    hint: "Cancels the announced end. The requester gets your reason by email.",
  },
};

/** One of {@link textSteps}. */
export type TextStep = keyof typeof textSteps;

/** Words of the steps that send links again. */
export const linkSteps = {
  resend: {
    title: "Send the confirmation again",
    button: "Send again",
    hint: "Sends new links. The old ones stop working.",
  },
  acknowledge: {
    title: "Send the acknowledgement again",
    button: "Send again",
    hint: "Complaints must be acknowledged. Sends a new status link. The old one stops working.",
  },
};
