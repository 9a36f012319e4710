import { withheldNotes } from "../acknowledgement-limits.ts";
import { linkTo, requestLine, type RequestTokens, suspicionNote, toFirm, toRequester } from "./data-rights-mail.ts";
import type { QueuedMail } from "../outbox/outbox.ts";
import { linkDays } from "../secret-token.ts";

/**
 * Acknowledges a complaint, whether sent by the form or by other means. It needs no confirmation. Quotes no input,
 * because anyone can enter another person's address.
 */
export function complaintAcknowledgement(
  recipient: string,
  tokens: Pick<RequestTokens, "status">,
  siteUrl: string,
): QueuedMail {
  return toRequester(
    recipient,
    "We have received your complaint {{reference}}",
    `We have received a complaint about how we handle personal data. It is recorded at ${new URL(siteUrl).host} under your email address.

Reference: {{reference}}
We will tell you the outcome by: {{due_on}}

You don't need to do anything. We will look into it and write to you at this address.

You can check the status of your complaint, or withdraw it, at any time. This is your status link. It works until ${linkDays.status} days after we have closed the complaint:
${linkTo("status", tokens.status, siteUrl)}

You don't have to wait for us: you may complain to a data protection authority at any time, in particular where you live or work.

If you did not make this complaint, please let us know by replying to this email.
`,
  );
}

/** Notifies the firm of a complaint without identifying its sender. Parameters as for `requestNotification`. */
export function complaintNotification(siteUrl: string, looksSuspicious = false): QueuedMail {
  return toFirm(
    "Complaint {{reference}}, due {{due_on}}",
    `You have received a complaint about how you handle personal data. It needs no confirmation: look into it and tell the person the outcome.

Reference: {{reference}}
Response due: {{due_on}}
${looksSuspicious ? suspicionNote : ""}
${requestLine(siteUrl)}
`,
    withheldNotes(
      { mail: "acknowledgement", recipient: "the person" },
      "The complaint is stored, and its deadline applies. Open it and choose “Send the acknowledgement again”.",
      "the complaint",
    ),
  );
}
