import { withheldNotes } from "../acknowledgement-limits.ts";
import type { DataRightsRequestType } from "../data-rights-request.ts";
import type { QueuedMail } from "../outbox/outbox.ts";

/** The secrets of a request's two links. */
export interface RequestTokens {
  confirm: string;
  status: string;
}

/**
 * Whoever writes about somebody's data names the ways to complain: to the firm (Data Protection Act 2018 of the United
 * Kingdom, section 164A) and to an authority (GDPR, article 77).
 */
const mayComplain =
  "If you want to complain about how we handle your data, reply to this email. You may also complain to a data protection authority, in particular where you live or work.";

/**
 * Tells the requester that the request came, and brings the links. Quotes nothing of what was typed: anybody can enter
 * a stranger's address. `{{reference}}`, `{{due_on}}` and `{{confirm_by}}` are filled in by the database.
 * @param siteUrl origin of the site
 */
export function requestAcknowledgement(recipient: string, tokens: RequestTokens, siteUrl: string): QueuedMail {
  return {
    kind: "request-acknowledgement",
    recipient,
    reply_to: null,
    subject: "Your data rights request {{reference}}: please confirm",
    body: `We have received a data rights request for your email address, through ${new URL(siteUrl).host}.

Reference: {{reference}}
We will answer by: {{due_on}}

Please confirm that the request is yours. Open this link by {{confirm_by}}, and press the button on the page:
${linkTo("confirm", tokens.confirm, siteUrl)}

What happens next: once you have confirmed it, we will work on your request and write to you at this address. If a complex case needs more time, we will tell you so, and why, before that date.

You can follow your request, or withdraw it, at any time. This is your status link:
${linkTo("status", tokens.status, siteUrl)}

${mayComplain}

If you did not make this request, do nothing: unless it is confirmed, nothing is disclosed, changed or deleted.
`,
  };
}

/** Tells somebody that the request they made by letter, phone or email was entered; an admin knows who they are. */
export function enteredAcknowledgement(recipient: string, tokens: RequestTokens, siteUrl: string): QueuedMail {
  return {
    kind: "request-acknowledgement",
    recipient,
    reply_to: null,
    subject: "Your data rights request {{reference}}",
    body: `We have received your data rights request, and entered it at ${new URL(siteUrl).host}.

Reference: {{reference}}
We will answer by: {{due_on}}

We will write to you at this address. If a complex case needs more time, we will tell you so, and why, before that date.

You can follow your request, or withdraw it, at any time. This is your status link:
${linkTo("status", tokens.status, siteUrl)}

${mayComplain}

If you did not make this request, tell us by replying to this email.
`,
  };
}

/**
 * Asks a requester once more to confirm, with new links, and says why nothing was done and what they can do about that
 * (GDPR, article 12(4)). Quotes nothing of what was typed.
 */
export function confirmationReminder(recipient: string, tokens: RequestTokens, siteUrl: string): QueuedMail {
  return {
    kind: "request-acknowledgement",
    recipient,
    reply_to: null,
    subject: "Your data rights request {{reference}} still needs your confirmation",
    body: `We received a data rights request for your email address through ${new URL(siteUrl).host} some weeks ago. We have not acted on it, because nobody has confirmed yet that it comes from you.

Reference: {{reference}}

If it is yours, open this link by {{confirm_by}}, and press the button on the page:
${linkTo("confirm", tokens.confirm, siteUrl)}

This is your new status link. Earlier links no longer work:
${linkTo("status", tokens.status, siteUrl)}

Without your confirmation we cannot act on the request, and we delete it ${unconfirmedDays} days after {{due_on}}. You can make a new request at any time. ${mayComplain} And you may go to court.

If you did not make this request, do nothing: unless it is confirmed, nothing is disclosed, changed or deleted.
`,
  };
}

/** Brings the link to data that was handed over; the person has just asked for it on the status page. */
export function packageLinkMail(recipient: string, token: string, siteUrl: string): QueuedMail {
  return {
    kind: "request-acknowledgement",
    recipient,
    reply_to: null,
    subject: "Your request {{reference}}: the link to your data",
    body: `You asked for the link to the data that we hold about you, under your request {{reference}}.

Open it, and choose in which form you want your data:
${linkTo("package", token, siteUrl)}

Do not forward this email: whoever has the link can read your data. If you did not ask for it, somebody else has your status link; tell us, by replying to this email.
`,
  };
}

/** A mail to the firm about a confirmed request, as the database names it. */
export type FirmReminder = "confirmed" | "due-in-7-days" | "due-in-2-days";

/** Tells the firm that a request was confirmed, or that it is due soon; nothing of who made it. */
export function firmReminder(
  reminder: FirmReminder,
  requestType: DataRightsRequestType,
  requestId: string,
  siteUrl: string,
): QueuedMail {
  const isNew = reminder === "confirmed";
  const isComplaint = requestType === "complaint";
  return {
    kind: "request-firm",
    recipient: null,
    reply_to: null,
    subject: isNew
      ? "Data rights request {{reference}} is confirmed, to be answered by {{due_on}}"
      : `Reminder: ${isComplaint ? "complaint" : "data rights request"} {{reference}} must be answered by {{due_on}}`,
    body: `${isNew ? "The requester has confirmed a data rights request." : `A ${isComplaint ? "complaint" : "confirmed data rights request"} has not been answered yet.`}

Reference: {{reference}}
Type: ${wordsFor[requestType]}
To be answered by: {{due_on}}

The request: ${new URL(`/admin/requests/${requestId}`, siteUrl).href}
`,
  };
}

/**
 * Tells the firm that a request came, and nothing of who sent it.
 * @param looksSuspicious its honeypot was filled in, which the firm should know and may not ignore
 */
export function requestNotification(
  requestType: DataRightsRequestType,
  siteUrl: string,
  looksSuspicious = false,
): QueuedMail {
  return {
    kind: "request-firm",
    recipient: null,
    reply_to: null,
    subject: "Data rights request {{reference}}, to be answered by {{due_on}}",
    body: `A data rights request has come in. It is waiting for the requester to confirm it.

Reference: {{reference}}
Type: ${wordsFor[requestType]}
To be answered by: {{due_on}}
${looksSuspicious ? suspicion : ""}
All requests: ${new URL("/admin/requests", siteUrl).href}
`,
    if_withheld: withheldNotes(
      "the requester was sent no link to confirm the request with",
      "The request is kept, and its deadline applies. If it looks genuine, open it and choose “Send the confirmation again”.",
    ),
  };
}

/** After the due date (private.retention_periods; a test compares). */
const unconfirmedDays = 30;

/** The address of a page that one of the secrets opens. */
export function linkTo(page: "confirm" | "status" | "package", token: string, siteUrl: string): string {
  return new URL(`/data-rights/${page}?token=${token}`, siteUrl).href;
}

/** What the firm reads of a request whose honeypot was filled in. */
export const suspicion = `
Please note: the form's hidden field was filled in. Programs do that, and so do some browsers by themselves. Everything goes on as without it, and the deadline applies.
`;

const wordsFor: Record<DataRightsRequestType, string> = {
  access: "access",
  rectification: "rectification",
  erasure: "erasure",
  portability: "portability",
  restrict: "restriction",
  object: "objection",
  other: "other",
  complaint: "complaint",
};
