import { clientLimits, gdprArticles, retention } from "../facts";
import { type ErrorPageCopy, errorPages } from "../error-pages";

const complaint = `You may also complain to a data protection authority (Article\u00a0${gdprArticles.complaint} GDPR).`;

/** States of a data rights request. */
export type RequestStateKey = "unconfirmed" | "open" | "in_progress" | "completed" | "refused" | "withdrawn";

/** Labels of the facts about a data rights request on both pages. */
export const requestFactWords = {
  type: "Request type",
  reference: "Reference",
  state: "State",
  received: "Received on",
  due: "We answer by",
  extended: "Extended on",
  closed: "Closed on",
} as const;

/** All texts of the page behind a confirmation link. */
export const confirmPage = {
  title: "Confirm your request",
  lead: "We received this data rights request for your email address. Did you make it?",
  confirm: "Confirm my request",
  otherwise:
    "If you didn’t make it, close this page. Unless it is confirmed, nothing is disclosed, changed or deleted.",
} as const;

/** All texts of the page behind a status link. */
export const statusPage = {
  title: "Your request",
  states: {
    unconfirmed: "Waiting for you to confirm it",
    open: "Confirmed",
    in_progress: "In progress",
    completed: "Answered",
    refused: "Refused",
    withdrawn: "Withdrawn",
  } satisfies Record<RequestStateKey, string>,
  nextTitle: "What happens next",
  next: {
    unconfirmed: `Open the other link in our email and confirm that the request is yours. Until then we may not act on it. That link works once, until the date above.`,
    open: "We’re working on your request and will write to the email address you gave. You don’t need to do anything else.",
    in_progress:
      "We’re working on your request and will write to the email address you gave. You don’t need to do anything else.",
    completed: `We have emailed you our answer. If you are not satisfied with it, contact us. ${complaint}`,
    refused: `Our email explains why. If you disagree, contact us. ${complaint}`,
    withdrawn: "We have stopped working on this request. You can make a new one at any time.",
  } satisfies Record<RequestStateKey, string>,
  /** texts that differ for a complaint, which needs no confirmation */
  complaint: {
    state: "Received",
    next: "We’re looking into your complaint and will write to the email address you gave. You don’t need to do anything else.",
  },
  overdue: `We should have answered by that date and did not. Please contact us and mention the reference. ${complaint}`,
  extended: "Our email from that day explains why.",
  package: {
    title: "Your data is ready",
    /** @param until a day in words */
    text: (until: string) =>
      `You can download it until ${until}. To make sure that it reaches only you, we email the link to the address of the request.`,
    button: "Email me the link to my data",
  },
  withdraw: "Withdraw this request",
  asking: {
    title: "Withdraw this request?",
    text: "We will stop working on it and won’t answer it. This can’t be undone, but you can make a new request at any time.",
    confirm: "Yes, withdraw it",
    cancel: "No, keep it",
  },
} as const;

/** All texts of the page behind a link to data. */
export const packagePage = {
  title: "Your data",
  /** @param until a day in words */
  lead: (until: string) => `Here is what we hold about you. This link works until ${until}.`,
  json: "Download for programs (JSON)",
  html: "Download as a readable page",
  warning: "The file contains personal data. Keep it where only you can read it.",
} as const;

/** Links on the pages for links that do not work. */
export const linkPageLinks = [
  { label: "Make a new request", path: "/data-rights" },
  { label: "Contact us", path: "/contact" },
] as const;

/**
 * Error pages for links, by HTTP status. Unknown, expired, long used and forged links share one page, so that outsiders
 * cannot tell them apart.
 */
export const linkProblems = {
  ...errorPages,
  404: {
    title: "This link no longer works",
    text: `A link that confirms a request works once, until the day by which we answer. If you have already used it, your request is confirmed, and the status link in our email shows its progress. The status link works until ${retention.statusLinkDays}\u00a0days after the request is closed. If neither helps, make the request again or contact us.`,
  },
  429: {
    title: "Too many requests",
    text: `Your link still works, and nothing has changed. Links were opened too many times from your internet connection: wait ${clientLimits.windowMinutes}\u00a0minutes and try again.`,
  },
  503: {
    title: "We can’t look this up right now",
    text: "Something went wrong on our side. Open your link again in a little while: the page then says how things stand.",
  },
} as const satisfies Partial<Record<number, ErrorPageCopy>>;
