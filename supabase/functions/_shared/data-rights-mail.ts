import { withheldNotes } from "./acknowledgement-limits.ts";
import type { DataRightsRequestType } from "./data-rights-request.ts";
import type { QueuedMail } from "./outbox.ts";

/** The secrets of a request's two links. */
export interface RequestTokens {
  confirm: string;
  status: string;
}

/**
 * Tells the requester that the request came, and brings the links. Quotes nothing of what was typed: anybody can enter
 * a stranger's address. `{{reference}}` and `{{due_on}}` are filled in by the database.
 * @param siteUrl origin of the site
 */
export function requestAcknowledgement(recipient: string, tokens: RequestTokens, siteUrl: string): QueuedMail {
  const link = (page: string, token: string) => new URL(`/data-rights/${page}?token=${token}`, siteUrl).href;
  return {
    kind: "request-acknowledgement",
    recipient,
    reply_to: null,
    subject: "Your data rights request {{reference}}: please confirm",
    body: `We have received a data rights request for your email address.

Reference: {{reference}}
We will answer by: {{due_on}}

Please confirm that the request is yours. Open this link within 72 hours, and press the button on the page:
${link("confirm", tokens.confirm)}

What happens next: once you have confirmed it, we will work on your request and write to you at this address. If a complex case needs more time, we will tell you so, and why, before that date.

You can follow your request, or withdraw it, at any time. This is your status link:
${link("status", tokens.status)}

If you did not make this request, do nothing: unless it is confirmed, nothing is disclosed, changed or deleted.
`,
  };
}

/** Tells the firm that a request came, and nothing of who sent it. */
export function requestNotification(requestType: DataRightsRequestType, siteUrl: string): QueuedMail {
  return {
    kind: "request-firm",
    recipient: null,
    reply_to: null,
    subject: "Data rights request {{reference}}, to be answered by {{due_on}}",
    body: `A data rights request has come in. It is waiting for the requester to confirm it.

Reference: {{reference}}
Type: ${wordsFor[requestType]}
To be answered by: {{due_on}}

All requests: ${new URL("/admin/requests", siteUrl).href}
`,
    if_withheld: withheldNotes(
      "the requester was sent no link to confirm the request with",
      "The request is kept, and its deadline applies. If it looks genuine, open it and choose “Send the confirmation again”.",
    ),
  };
}

const wordsFor: Record<DataRightsRequestType, string> = {
  access: "access",
  rectification: "rectification",
  erasure: "erasure",
  portability: "portability",
  restrict: "restriction",
  object: "objection",
  other: "other",
};
