import { clientLimits, gdprArticles, retention } from "../facts";
import type { ErrorPageCopy } from "../error-pages";

const complaint = `You may also complain to a data protection authority (Article\u00a0${gdprArticles.complaint} GDPR).`;

/** How far a request can be. */
export type RequestStateKey = "unconfirmed" | "open" | "in_progress" | "completed" | "refused" | "withdrawn";

/** The names of what both pages show of a request. */
export const requestFactWords = {
  type: "Request type",
  reference: "Reference",
  state: "State",
  received: "Received on",
  due: "We answer by",
  extended: "Extended on",
  closed: "Closed on",
} as const;

/** Every word of the page that a confirmation link opens. */
export const confirmPage = {
  title: "Confirm your request",
  lead: "We received this data rights request for your email address. Did you make it?",
  confirm: "Confirm my request",
  otherwise:
    "If you didn’t make it, close this page. Unless it is confirmed, nothing is disclosed, changed or deleted.",
} as const;

/** Every word of the page that a status link opens. */
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
    unconfirmed: `Open the other link in our email and confirm that the request is yours: until then we may not act on it. That link works once, until the day given above.`,
    open: "We’re working on your request and will write to the email address you gave. You don’t need to do anything else.",
    in_progress:
      "We’re working on your request and will write to the email address you gave. You don’t need to do anything else.",
    completed: `We have emailed you our answer. If you are not satisfied with it, contact us. ${complaint}`,
    refused: `Our email explains why. If you disagree, contact us. ${complaint}`,
    withdrawn: "We have stopped working on this request. You can make a new one at any time.",
  } satisfies Record<RequestStateKey, string>,
  /** where a complaint, which nobody has to confirm, differs from a request */
  complaint: {
    state: "Received",
    next: "We’re looking into your complaint and will write to the email address you gave. You don’t need to do anything else.",
  },
  overdue: `That date has passed without an answer, which should not happen. Please contact us and mention the reference. ${complaint}`,
  extended: "Our email from that day explains why.",
  package: {
    title: "Your data is ready",
    /** @param until a day in words */
    text: (until: string) =>
      `You can download it until ${until}. To be sure that it is you, we send the link to the email address of the request.`,
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

/** Every word of the page that a link to data opens. */
export const packagePage = {
  title: "Your data",
  /** @param until a day in words */
  lead: (until: string) => `Here is what we hold about you. This link works until ${until}.`,
  json: "Download for programs (JSON)",
  html: "Download as a readable page",
  warning: "The file holds personal data: keep it where only you can read it.",
} as const;

/** Where both pages, and those for links that do not work, lead on. */
export const linkPageWays = {
  request: { label: "Make a new request", path: "/data-rights" },
  contact: { label: "Contact us", path: "/contact" },
} as const;

/**
 * What somebody reads whose link opens nothing, by HTTP status. One page for unknown, expired, used and forged links: a
 * stranger must not learn which of them it was.
 */
export const linkProblems = {
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
    text: "Something went wrong on our side, and nothing has changed. Your link still works: open it again in a little while.",
  },
} as const satisfies Partial<Record<number, ErrorPageCopy>>;
