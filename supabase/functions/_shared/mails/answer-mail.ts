import { answeredLine, quoteMessage, sentWithForm } from "./contact-mail.ts";
import type { ContactFieldName } from "../contact-fields.ts";
import type { MailContent } from "./mail-content.ts";
import type { QueuedMail } from "../outbox/outbox.ts";

/** A message that is to be answered soon, or should have been. */
export type WaitingMessage = Record<ContactFieldName, string> & {
  id: string;
  notice: "due-soon" | "late";
  /** ISO 8601 */
  answer_due_at: string;
};

/**
 * Tells the firm that the time for an answer ends, or has ended. Its subject names no more of the sender than that of the first mail.
 * @param site `url`: its origin; `answerToken`: of the link by which the firm says that it has answered
 * @param timeZone in which the firm reads times
 */
export function answerNotice(
  message: WaitingMessage,
  site: { url: string; mailContent: MailContent; answerToken: string },
  timeZone: string,
): Pick<QueuedMail, "subject" | "body" | "reply_to"> {
  const isFull = site.mailContent === "full";
  const reference = message.id.slice(0, 8);
  const what = isFull ? `message from ${message.name}, ${message.company}` : `message ${reference}`;
  const due = inWords(message.answer_due_at, timeZone);
  const isLate = message.notice === "late";
  return {
    subject: isLate ? `Late: ${what}` : `Answer soon: ${what}`,
    reply_to: isFull ? message.email : null,
    body: `${isLate ? `This message was to be answered by ${due}.` : `This message is to be answered by ${due}, as the website promises.`}

Reference: ${reference}
Read it here: ${new URL(`/admin/messages/${message.id}`, site.url).href}
${answeredLine(site.url, site.answerToken)}${isFull ? `\n${sentWithForm}\n\n${quoteMessage(message)}\n` : ""}`,
  };
}

/** An instant as the firm reads it, with plain spaces: some mail programs show others as boxes. */
function inWords(instant: string, timeZone: string): string {
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
