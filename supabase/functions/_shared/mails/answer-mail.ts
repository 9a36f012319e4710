import { answeredLine, describeSender, messageLine, quoteMessage, referenceOf } from "./contact-mail.ts";
import type { ContactFieldName } from "../contact-fields.ts";
import { describeRefusal } from "./delivery-reason.ts";
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
  const isFull = site.mailContent === "full";
  const reference = referenceOf(message.id);
  const title = isFull ? `message from ${describeSender(message)}` : `message ${reference}`;
  const due = formatInstant(message.answer_due_at, timeZone);
  const { prefix, text } = words(message, due);
  return {
    subject: `${prefix}: ${title}`,
    reply_to: isFull ? message.email : null,
    body: `${text}

${isFull ? quoteMessage(message) : `Reference: ${reference}`}
${messageLine(message.id, site.url)}${answeredLine(site.url, site.answerToken)}`,
  };
}

function words({ notice, refusal }: WaitingMessage, due: string): { prefix: string; text: string } {
  switch (notice) {
    case "undelivered":
      return {
        prefix: "Not delivered",
        text: `Our reply to this message was not delivered: ${describeRefusal(refusal)}.\nThe message is open again. Send the reply again or correct the address on its page.`,
      };
    case "late":
      return { prefix: "Late", text: `The reply to this message was due on ${due}.` };
    case "due-soon":
      return { prefix: "Reply soon", text: `The reply to this message is due on ${due}, as the website promises.` };
  }
}

/** Formats an instant in the firm's time zone. Plain spaces only, because some mail programs show others as boxes. */
function formatInstant(instant: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en-US", {
    weekday: "long",
    month: "long",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  });
  return format.format(new Date(instant)).replace(/\s/gu, " ");
}
