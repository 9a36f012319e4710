import { withheldNotes } from "../acknowledgement-limits.ts";
import { type DataRightsRequestType, requestTypes } from "../data-rights-request.ts";
import type { QueuedMail } from "../outbox/outbox.ts";
import { linkDays } from "../secret-token.ts";

/** Secret tokens of a request's two links. */
export interface RequestTokens {
  confirm: string;
  status: string;
}

/**
 * Mails about a person's data must name both ways to complain: to the firm (Data Protection Act 2018 of the United
 * Kingdom, section 164A) and to an authority (GDPR, article 77).
 */
const mayComplain =
  "If you want to complain about how we handle your data, reply to this email. You may also complain to a data protection authority, in particular where you live or work.";

/**
 * Acknowledges a request and contains its links. Quotes no input, because anyone can enter another person's address.
 * The link to confirm comes first and alone. The database fills in `{{reference}}`, `{{due_on}}`, `{{confirm_by}}` and
 * `{{deleted_on}}`.
 * @param siteUrl origin of the site
 */
export function requestAcknowledgement(recipient: string, tokens: RequestTokens, siteUrl: string): QueuedMail {
  return toRequester(
    recipient,
    "Your data rights request {{reference}}: please confirm",
    `Please confirm that the data rights request at ${new URL(siteUrl).host} for your email address is yours. Open this link by {{confirm_by}} and press the button on the page:

${linkTo("confirm", tokens.confirm, siteUrl)}

Reference: {{reference}}
We will answer by: {{due_on}}

Once you have confirmed it, we will work on your request and write to you at this address. If a complex case needs more time, we will let you know before that date and explain why.

${mayComplain}

Later you can check the status of your request, or withdraw it, with this second link, until ${linkDays.status} days after we have closed it:
${linkTo("status", tokens.status, siteUrl)}

If you did not make this request, you don't need to do anything. Unless it is confirmed, we will not disclose, change or delete any data.
`,
  );
}

/** Acknowledges a request made by letter, phone or email that an admin entered. The admin has identified the person. */
export function enteredAcknowledgement(recipient: string, tokens: RequestTokens, siteUrl: string): QueuedMail {
  return toRequester(
    recipient,
    "Your data rights request {{reference}}",
    `We have received your data rights request and recorded it at ${new URL(siteUrl).host}.

Reference: {{reference}}
We will answer by: {{due_on}}

We will write to you at this address. If a complex case needs more time, we will let you know before that date and explain why.

You can check the status of your request, or withdraw it, at any time. This is your status link. It works until ${linkDays.status} days after we have closed the request:
${linkTo("status", tokens.status, siteUrl)}

${mayComplain}

If you did not make this request, please let us know by replying to this email.
`,
  );
}

/**
 * Reminds a requester to confirm, with new links, and states why nothing was done and which remedies they have (GDPR,
 * article 12(4)). Quotes no input.
 */
export function confirmationReminder(recipient: string, tokens: RequestTokens, siteUrl: string): QueuedMail {
  return toRequester(
    recipient,
    "Your data rights request {{reference}} still needs your confirmation",
    `A few weeks ago we received a data rights request at ${new URL(siteUrl).host} for your email address. If it is yours, open this link by {{confirm_by}} and press the button on the page:

${linkTo("confirm", tokens.confirm, siteUrl)}

Reference: {{reference}}

We have not acted on it, because it has not been confirmed yet. Without your confirmation we cannot act on the request, and on {{deleted_on}} we delete it. You can make a new request at any time. ${mayComplain} You also have the right to go to court.

To check its status, or to withdraw it, use this second link. It works until ${linkDays.status} days after we have closed the request. Earlier links no longer work:
${linkTo("status", tokens.status, siteUrl)}

If you did not make this request, you don't need to do anything. Unless it is confirmed, we will not disclose, change or delete any data.
`,
  );
}

/** Contains the link to released data, which the person just requested on the status page. */
export function packageLinkMail(recipient: string, token: string, siteUrl: string): QueuedMail {
  return toRequester(
    recipient,
    "Your request {{reference}}: the link to your data",
    `You asked for the link to the data that we hold about you. It belongs to your request {{reference}}.

Open it and choose a format for your data:
${linkTo("package", token, siteUrl)}

Do not forward this email: anyone with the link can read your data. If you did not ask for it, someone else has your status link. Please let us know by replying to this email.
`,
  );
}

/** Kind of a mail to the firm about a confirmed request, as the database names it. */
export type FirmReminder = "confirmed" | "due-in-7-days" | "due-in-2-days";

/** Notifies the firm that a request was confirmed or is due soon, without identifying the requester. */
export function firmReminder(reminder: FirmReminder, requestType: DataRightsRequestType, siteUrl: string): QueuedMail {
  const isNew = reminder === "confirmed";
  const isComplaint = requestType === "complaint";
  return toFirm(
    isNew
      ? "Data rights request {{reference}} is confirmed, due {{due_on}}"
      : `Reminder: ${isComplaint ? "complaint" : "data rights request"} {{reference}} is due {{due_on}}`,
    `${isNew ? "The requester has confirmed a data rights request." : `A ${isComplaint ? "complaint" : "confirmed data rights request"} is still open.`}

Reference: {{reference}}
Type: ${requestTypes[requestType].toLowerCase()}
Response due: {{due_on}}

${requestLine(siteUrl)}
`,
  );
}

/**
 * Notifies the firm of a new request without identifying the requester.
 * @param looksSuspicious the honeypot was filled in, which the firm should know but may not ignore
 */
export function requestNotification(
  requestType: DataRightsRequestType,
  siteUrl: string,
  looksSuspicious = false,
): QueuedMail {
  return toFirm(
    "Data rights request {{reference}}, due {{due_on}}",
    `You have received a data rights request. The requester still has to confirm it.

Reference: {{reference}}
Type: ${requestTypes[requestType].toLowerCase()}
Response due: {{due_on}}
${looksSuspicious ? suspicionNote : ""}
${requestLine(siteUrl)}
`,
    withheldNotes(
      { mail: "confirmation link", recipient: "the requester" },
      "The request is stored, and its deadline applies. If it looks genuine, open it and choose “Send the confirmation again”.",
      "the request",
    ),
  );
}

/** Creates a mail to the person of a data rights request. */
export function toRequester(recipient: string, subject: string, body: string): QueuedMail {
  return { kind: "request-acknowledgement", recipient, reply_to: null, subject, body };
}

/** Creates a mail to the firm about a data rights request. @param if_withheld see {@link QueuedMail} */
export function toFirm(subject: string, body: string, if_withheld?: QueuedMail["if_withheld"]): QueuedMail {
  return { kind: "request-firm", recipient: null, reply_to: null, subject, body, if_withheld };
}

/** Leads the firm to a request. The database fills in its `{{id}}`. */
export function requestLine(siteUrl: string): string {
  return `Open it here: ${new URL("/admin/requests/", siteUrl).href}{{id}}`;
}

/** Builds the URL of a page that one of the secrets opens. */
export function linkTo(page: "confirm" | "status" | "package", token: string, siteUrl: string): string {
  return new URL(`/data-rights/${page}?token=${token}`, siteUrl).href;
}

/** Note to the firm about a request whose honeypot was filled in. */
export const suspicionNote = `
Please note: the form's hidden field was filled in. Bots do that, but so do some browsers. Nothing else changes, and the deadline applies.
`;
