import { answeredLine, describeSender, messageLine, referenceOf, tellOfMessage } from "./contact-mail.ts";
import type { ContactFieldName } from "../contact-fields.ts";
import { describeRefusal } from "./delivery-reason.ts";
import { formatInstant } from "./format-instant.ts";
import type { MailContent } from "./mail-content.ts";
import type { QueuedMail } from "../outbox/outbox.ts";

/** A message whose reply is due soon, overdue or was not delivered. */
export type WaitingMessage = Record<ContactFieldName, string> & {
  id: string;
  notice: "undelivered" | "due-soon" | "late";
  /** why the last reply was not delivered, a code of the outbox; null for other notices */
  refusal: string | null;
  /** ISO 8601 */
  answer_due_at: string;
};

/**
 * Notifies the firm that a reply is due soon, overdue or was not delivered. Its subject discloses no more about the sender than the
 * subject of the first mail.
 * @param site `url`: its origin; `answerToken`: token of the link with which the firm marks the message as answered
 * @param timeZone the firm's time zone, for the times
 */
export function answerNotice(
  message: WaitingMessage,
  site: { url: string; mailContent: MailContent; answerToken: string },
  timeZone: string,
): Pick<QueuedMail, "subject" | "body" | "reply_to"> {
  const { isFull, reply_to, text } = tellOfMessage(message, message.id, site.mailContent);
  const due = formatInstant(message.answer_due_at, timeZone, { weekday: "long" });
  const { prefix, reason } = words(message, due);
  return {
    subject: `${prefix}: message ${isFull ? `from ${describeSender(message)}` : referenceOf(message.id)}`,
    reply_to,
    body: `${reason}

${text}
${messageLine(message.id, site.url)}${answeredLine(site.url, site.answerToken)}`,
  };
}

function words({ notice, refusal }: WaitingMessage, due: string): { prefix: string; reason: string } {
  switch (notice) {
    case "undelivered":
      return {
        prefix: "Not delivered",
        reason: `Our reply to this message was not delivered: ${describeRefusal(refusal)}.\nThe message is open again. Send the reply again or correct the address on its page.`,
      };
    case "late":
      return { prefix: "Late", reason: `The reply to this message was due on ${due}.` };
    case "due-soon":
      return { prefix: "Reply soon", reason: `The reply to this message is due on ${due}, as the website promises.` };
  }
}
