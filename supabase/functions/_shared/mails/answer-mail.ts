import { answeredLine, describeSender, messageLine, quoteMessage, referenceOf } from "./contact-mail.ts";
import type { ContactFieldName } from "../contact-fields.ts";
import type { MailContent } from "./mail-content.ts";
import type { QueuedMail } from "../outbox/outbox.ts";

/** A message whose reply is due soon or overdue. */
export type WaitingMessage = Record<ContactFieldName, string> & {
  id: string;
  notice: "due-soon" | "late";
  /** ISO 8601 */
  answer_due_at: string;
};

/**
 * Notifies the firm that a reply is due soon or overdue. Its subject discloses no more about the sender than the
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
  const isLate = message.notice === "late";
  return {
    subject: isLate ? `Late: ${title}` : `Reply soon: ${title}`,
    reply_to: isFull ? message.email : null,
    body: `${isLate ? `The reply to this message was due on ${due}.` : `The reply to this message is due on ${due}, as the website promises.`}

${isFull ? quoteMessage(message) : `Reference: ${reference}`}
${messageLine(message.id, site.url)}${answeredLine(site.url, site.answerToken)}`,
  };
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
