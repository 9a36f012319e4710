import { withheldNotes } from "../acknowledgement-limits.ts";
import { linkTo, type RequestTokens, suspicion } from "./data-rights-mail.ts";
import type { QueuedMail } from "../outbox/outbox.ts";

/**
 * Tells somebody that their complaint came, by the form or otherwise. It needs no confirmation. Quotes nothing of what was
 * typed: anybody can enter a stranger's address.
 */
export function complaintAcknowledgement(
  recipient: string,
  tokens: Pick<RequestTokens, "status">,
  siteUrl: string,
): QueuedMail {
  return {
    kind: "request-acknowledgement",
    recipient,
    reply_to: null,
    subject: "We have received your complaint {{reference}}",
    body: `We have received a complaint about how we handle personal data, with your email address, at ${new URL(siteUrl).host}.

Reference: {{reference}}
We will tell you the outcome by: {{due_on}}

You need not do anything. We will look into it and write to you at this address.

You can follow your complaint, or withdraw it, at any time. This is your status link:
${linkTo("status", tokens.status, siteUrl)}

You need not wait for us: you may complain to a data protection authority at any time, in particular where you live or work.

If you did not make this complaint, tell us by replying to this email.
`,
  };
}

/** Tells the firm that a complaint came, and nothing of who sent it. Parameters as `requestNotification`. */
export function complaintNotification(siteUrl: string, looksSuspicious = false): QueuedMail {
  return {
    kind: "request-firm",
    recipient: null,
    reply_to: null,
    subject: "Complaint {{reference}}, to be answered by {{due_on}}",
    body: `A complaint about how you handle personal data has come in. It needs no confirmation: look into it, and tell the person the outcome.

Reference: {{reference}}
To be answered by: {{due_on}}
${looksSuspicious ? suspicion : ""}
All requests: ${new URL("/admin/requests", siteUrl).href}
`,
    if_withheld: withheldNotes(
      "the person was not told that the complaint has come",
      "The complaint is kept, and its deadline applies. Open it and choose “Send the acknowledgement again”.",
    ),
  };
}
