import { type ReplyClock, usualReplyHours } from "../../../../app/lib/reply-promise.ts";
import { quoteText } from "../../../../app/lib/plain-text.ts";
import { withheldNotes } from "../acknowledgement-limits.ts";
import { type ContactFieldName, contactFieldList } from "../contact-fields.ts";
import type { ContactMessage } from "../contact-message.ts";
import type { MailContent } from "./mail-content.ts";
import type { QueuedMail } from "../outbox/outbox.ts";

/** Facts about the site that the mails of a message mention. */
export interface MessageMailSite {
  /** its origin, for the links; omitted when unknown */
  url: string | undefined;
  mailContent: MailContent;
  /** the firm's name; omitted when unknown */
  firm?: string | undefined;
  /** the promise to reply; defaults to the usual hours, on all days */
  promise?: Pick<ReplyClock, "withinHours" | "days">;
  /** token of the link with which the firm marks the message as answered */
  answerToken?: string;
}

/** Writes the two mails of a message: the full text or a notice to the firm, and an acknowledgement to the visitor. */
export function contactMails(message: ContactMessage, site: MessageMailSite): QueuedMail[] {
  const toFirm = site.mailContent === "full" ? firmMail(message, site) : firmNotice(site);
  return [{ ...toFirm, if_withheld: noteForFirm }, acknowledgement(message.email, site)];
}

/** Subject of the acknowledgement. Replies repeat it, because some mailboxes group a conversation by subject. */
export const acknowledgementSubject = "We have received your message";

const noteForFirm = withheldNotes(
  "no acknowledgement was sent to the sender",
  "The message is stored as usual. If this happens often, someone may be using the form to send email to other people.",
);

/** The database fills in reference and id. No Reply-To: the mail omits even the sender's address. */
function firmNotice({ url, answerToken }: MessageMailSite): QueuedMail {
  const where = url ? `Read it here: ${new URL("/admin/messages/", url).href}{{id}}` : "Sign in to read it.";
  return {
    kind: "firm",
    recipient: null,
    reply_to: null,
    is_notice: true,
    subject: "New message {{reference}}",
    body: `You have a new message from the contact form.

Reference: {{reference}}
${where}
${answeredLine(url, answerToken)}`,
  };
}

function firmMail(message: ContactMessage, { url, answerToken }: MessageMailSite): QueuedMail {
  return {
    kind: "firm",
    recipient: null,
    reply_to: message.email,
    subject: `Message from ${message.name}, ${message.company}`,
    body: `${sentWithForm}
${url ? `All messages: ${new URL("/admin", url).href}\n` : ""}${answeredLine(url, answerToken)}
${quoteMessage(message)}
`,
  };
}

/** Precedes the quoted message in a mail to the firm. */
export const sentWithForm = "Sent with the contact form. Reply to this email to answer the sender.";

/**
 * Quotes every text of a message for the firm's mails. It goes below our own links, so that a message cannot imitate
 * them.
 */
export function quoteMessage(message: Record<ContactFieldName, string>): string {
  const facts = contactFieldList
    .filter(([name]) => name !== "message" && message[name] !== "")
    .map(([name, { label }]) => `${label}: ${message[name]}`);
  return quoteText([...facts, "", message.message].join("\n"));
}

/**
 * Writes the link for a person who replied in their own mail program. It opens a page and changes nothing by itself.
 */
export function answeredLine(siteUrl: string | undefined, token: string | undefined): string {
  return siteUrl && token ? `I have answered: ${new URL(`/answered?token=${token}`, siteUrl).href}\n` : "";
}

/**
 * Quotes no input, not even the name: anyone can enter another person's address, and our mail must not carry their
 * words to that person.
 */
function acknowledgement(recipient: string, { url, firm, promise: given }: MessageMailSite): QueuedMail {
  const site = url ? new URL(url).host : "our website";
  const promise = `within ${given?.withinHours ?? usualReplyHours} hours${given?.days === "business" ? " on business days (Monday to Friday)" : ""}`;
  return {
    kind: "acknowledgement",
    recipient,
    reply_to: null,
    subject: acknowledgementSubject,
    body: `Thank you for writing to ${firm ?? "us"} through ${site}. We have received your message and will reply ${promise}.

You can withdraw your consent to the use of your details at any time: reply to this email and say so, and we will delete your message.

If you did not write to us, someone entered your address in the contact form at ${site}. You don't need to do anything. If you reply to this email, we will delete that message.
${firm ? `\n--${" "}\n${firm}\n` : ""}`,
  };
}
