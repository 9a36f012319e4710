import { clientLimits, gdprArticles, retention } from "../facts";
import type { ErrorPageCopy } from "../error-pages";

/** How long the link that confirms a request works; the database and the mail hold to the same (a test compares). */
export const confirmationLinkHours = 72;

const lifetime = `${confirmationLinkHours}\u00a0hours`;
const complaint = `You may also complain to your data protection authority (Article\u00a0${gdprArticles.complaint} GDPR).`;

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
  lead: "We received this data rights request with your email address. Is it yours?",
  confirm: "Confirm my request",
  otherwise:
    "If you did not make it, close this page: unless it is confirmed, nothing is given out, changed or deleted.",
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
    unconfirmed: `Open the other link in our email and confirm that the request is yours: until then we may not act on it. That link works once and for ${lifetime}; if it has run out, send the request again.`,
    open: "We work on your request and write to the email address that it came with. You need do nothing more.",
    in_progress: "We work on your request and write to the email address that it came with. You need do nothing more.",
    completed: `We have written to you. If you are not happy with the answer, contact us. ${complaint}`,
    refused: `Our email to you says why. If you disagree, contact us. ${complaint}`,
    withdrawn: "We do nothing more about this request. You can make a new one at any time.",
  } satisfies Record<RequestStateKey, string>,
  overdue: `That day has passed, and it should not have. Please contact us, and name the reference. ${complaint}`,
  extended: "Our email of that day says why.",
  withdraw: "Withdraw this request",
  asking: {
    title: "Withdraw this request?",
    text: "We then stop working on it and do not answer it. This cannot be undone, but you can make a new request at any time.",
    confirm: "Yes, withdraw it",
    cancel: "No, keep it",
  },
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
    text: `A link that confirms a request works once and for ${lifetime}. If you have used it before, your request is confirmed, and the other link in our email shows how far it is. That one works until ${retention.statusLinkDays}\u00a0days after the request was closed. If neither helps, make the request again or contact us.`,
  },
  429: {
    title: "Too many at once",
    text: `Your link still works, and nothing has changed. Our links were opened many times from your internet connection: wait ${clientLimits.windowMinutes}\u00a0minutes and try again.`,
  },
  503: {
    title: "We cannot look this up just now",
    text: "The fault is ours, and nothing has changed. Your link still works: open it again a little later.",
  },
} as const satisfies Partial<Record<number, ErrorPageCopy>>;
