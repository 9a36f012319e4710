import { type ReplyClock, usualReplyHours } from "../../../../app/lib/reply-promise.ts";
import { quoteText } from "../../../../app/lib/plain-text.ts";
import { withheldNotes } from "../acknowledgement-limits.ts";
import { type ContactFieldName, contactFieldList } from "../contact-fields.ts";
import type { ContactMessage } from "../contact-message.ts";
import type { MailContent } from "./mail-content.ts";
import type { QueuedMail } from "../outbox/outbox.ts";

/** What the mails of a message name of the site. */
export interface MessageMailSite {
  /** its origin, for the links; left out when unknown */
  url: string | undefined;
  mailContent: MailContent;
  /** the firm's name; left out when unknown */
  firm?: string | undefined;
  /** the promise to reply; the usual hours, on all days, unless given */
  promise?: Pick<ReplyClock, "withinHours" | "days">;
  /** of the link by which the firm says that it has answered */
  answerToken?: string;
}

/** The two mails of one message: everything, or a notice, to the firm, and an acknowledgement to the visitor. */
export function contactMails(message: ContactMessage, site: MessageMailSite): QueuedMail[] {
  const toFirm = site.mailContent === "full" ? firmMail(message, site) : firmNotice(site);
  return [{ ...toFirm, if_withheld: noteForFirm }, acknowledgement(message.email, site)];
}

/** Of the acknowledgement; a reply repeats it, because some mailboxes keep together only what has one subject. */
export const acknowledgementSubject = "We have received your message";

const noteForFirm = withheldNotes(
  "the sender was sent no acknowledgement",
  "The message is kept like any other. If it is not the only one, somebody may be using the form to send email to others.",
);

/** The database fills in reference and id. Nobody can answer it by mail: not even the sender's address is in it. */
function firmNotice({ url, answerToken }: MessageMailSite): QueuedMail {
  const where = url ? `Read it here: ${new URL("/admin/messages/", url).href}{{id}}` : "Sign in to read it.";
  return {
    kind: "firm",
    recipient: null,
    reply_to: null,
    is_notice: true,
    subject: "New message {{reference}}",
    body: `A message has come in through the contact form.

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

/** Stands above what a mail to the firm quotes. */
export const sentWithForm = "Sent with the contact form. Reply to this email to answer the sender.";

/** Every text of a message, as the firm's mails quote it: below our own links, which nothing in it can then imitate. */
export function quoteMessage(message: Record<ContactFieldName, string>): string {
  const facts = contactFieldList
    .filter(([name]) => name !== "message" && message[name] !== "")
    .map(([name, { label }]) => `${label}: ${message[name]}`);
  return quoteText([...facts, "", message.message].join("\n"));
}

/** The link for whoever answered in their own mail program; it shows a page, and marks nothing by itself. */
export function answeredLine(siteUrl: string | undefined, token: string | undefined): string {
  return siteUrl && token ? `I have answered: ${new URL(`/answered?token=${token}`, siteUrl).href}\n` : "";
}

/**
 * Quotes nothing of what was typed, not even the name: anybody can enter a stranger's address, and our mail must
 * not carry their words to that stranger.
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

You can take back your consent to the use of your details at any time: reply to this email and say so, and we will delete your message.

If you did not write to us, somebody entered your address in the contact form of ${site}. You don't need to do anything. If you reply to this email, we will delete that message.
${firm ? `\n--${" "}\n${firm}\n` : ""}`,
  };
}
