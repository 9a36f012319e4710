import { contactFieldList } from "../contact-fields.ts";
import type { ContactMessage } from "../contact-message.ts";
import type { QueuedMail } from "../outbox/outbox.ts";
import { describeSender, type MessageMailSite, messageLine, referenceOf, tellOfMessage } from "./contact-mail.ts";

/** People who write to an advisory firm mention one website, their own; spam mentions several. */
const mostLinks = 1;

/**
 * Writes the mail to the firm about a message that is held back because its hidden field was filled in, which password
 * managers and browsers also do for people. Returns no mail for a message with more than one link, which is far more
 * often spam.
 */
export function heldBackMails(
  message: ContactMessage,
  { id, url, mailContent, asksToJoin }: Pick<MessageMailSite, "id" | "url" | "mailContent" | "asksToJoin">,
): QueuedMail[] {
  const texts = contactFieldList.map(([name]) => message[name]).join("\n");
  if (countLinks(texts) > mostLinks) return [];
  const joins = asksToJoin
    ? "The sender also asked to join the investor network, and got no link to confirm it.\n"
    : "";
  const { isFull, reply_to, text } = tellOfMessage(message, id, mailContent);
  return [
    {
      kind: "firm",
      recipient: null,
      is_of_held: true,
      reply_to,
      subject: isFull
        ? `Held back: message from ${describeSender(message)}`
        : `Message ${referenceOf(id)} is held back`,
      body: isFull
        ? `${text}\n${remark}\n${joins}\n${messageLine(id, url)}`
        : `You have a new message from the contact form. ${remark}\n${joins}\n${text}\n${messageLine(id, url)}`,
    },
  ];
}

const remark =
  "Please note: the form’s hidden field was filled in. Most messages like this are spam, but some browsers and password managers fill it in for a person. The message is held back, and no acknowledgement was sent. If it is genuine, open it and move it to New.";

/** Counts the links in a text, in the notations of people and bots. */
export function countLinks(text: string): number {
  return text.match(/https?:\/\/(?:www\.)?|www\.|<a\s|\[(?:url|link)\b/gi)?.length ?? 0;
}
