import { type ReplyClock, usualReplyHours } from "../../../../app/lib/reply-promise.ts";
import { findFirstName } from "../../../../app/lib/greeting-name.ts";
import { quoteText } from "../../../../app/lib/plain-text.ts";
import { withheldNotes, withheldReasons } from "../acknowledgement-limits.ts";
import { type ContactFieldName, contactFieldList } from "../contact-fields.ts";
import type { ContactMessage } from "../contact-message.ts";
import { formatInstant } from "./format-instant.ts";
import type { MailContent } from "./mail-content.ts";
import type { NetworkOutcome, QueuedMail } from "../outbox/outbox.ts";
import { linkDays } from "../secret-token.ts";

/** Facts about the message and the site that the mails of a message mention. */
export interface MessageMailSite {
  /** the message's id */
  id: string;
  /** the site's origin, for the links; omitted when unknown */
  url: string | undefined;
  mailContent: MailContent;
  /** true if the sender also asked to join the investor network */
  asksToJoin?: boolean;
  /** the firm's name; omitted when unknown */
  firm?: string | undefined;
  /** name of the person who replies; omitted when unknown */
  person?: string | undefined;
  /** the promise to reply, with a sentence about near days on which the firm is closed; defaults to the usual hours, on all days */
  promise?: ReplyClock & { dueAt: Date; closing?: string | null };
  /** token of the link with which the firm marks the message as answered */
  answerToken?: string;
}

/** Writes the two mails of a message: the full text or a notice to the firm, and an acknowledgement to the visitor. */
export function contactMails(message: ContactMessage, site: MessageMailSite): QueuedMail[] {
  const notes = { if_withheld: noteForFirm, ...(site.asksToJoin ? { if_joining: joiningNotes } : {}) };
  return [{ ...firmMail(message, site), ...notes }, acknowledgement(message, site)];
}

/**
 * Writes the subject of the acknowledgement. Replies repeat it, because some mailboxes group a conversation by subject.
 * @param to the firm's name, or else the site's host
 */
export function acknowledgementSubject(to: string | undefined): string {
  return to ? `Your message to ${to}` : "Your message";
}

const noteForFirm = withheldNotes(
  { mail: "acknowledgement", recipient: "the sender" },
  "The message is stored as usual. If this happens often, someone may be using the form to send email to other people.",
);

function firmMail(message: ContactMessage, { id, url, mailContent, answerToken }: MessageMailSite): QueuedMail {
  const { isFull, reply_to, text } = tellOfMessage(message, id, mailContent);
  return {
    kind: "firm",
    recipient: null,
    reply_to,
    subject: isFull ? `Message from ${describeSender(message)}` : `New message ${referenceOf(id)}`,
    body: `${isFull ? "" : "You have a new message from the contact form.\n\n"}${text}
${messageLine(id, url)}${answeredLine(url, answerToken)}`,
  };
}

/**
 * Tells what a mail to the firm says of a message: all of it, or only its reference (MAIL_CONTENT). A mail with only the
 * reference has no Reply-To, because it omits even the sender's address.
 */
export function tellOfMessage(
  message: Record<ContactFieldName, string>,
  id: string,
  mailContent: MailContent,
): { isFull: boolean; reply_to: string | null; text: string } {
  return mailContent === "full"
    ? { isFull: true, reply_to: message.email, text: quoteMessage(message) }
    : { isFull: false, reply_to: null, text: `Reference: ${referenceOf(id)}` };
}

/** Names the sender for a subject: the stage tells whether to read it now. */
export function describeSender({ name, company, stage }: Record<"name" | "company" | "stage", string>): string {
  return `${[name, company].filter((text) => text !== "").join(", ")}${stage === "" ? "" : ` (${stage})`}`;
}

/** Shortens a message's id as lists and mails show it. */
export function referenceOf(id: string): string {
  return id.slice(0, 8);
}

/**
 * Quotes every text of a message for the firm's mails: the message first, because lists of mails preview the first
 * line, then the facts. Each line of it is quoted, so that a message cannot imitate our own lines and links below.
 */
function quoteMessage(message: Record<ContactFieldName, string>): string {
  const facts = contactFieldList
    .filter(([name]) => name !== "message" && message[name] !== "")
    .map(([name, { label }]) => `${label}: ${message[name]}`);
  return `${quoteText(message.message)}

Sent with the contact form by:
${quoteText(facts.join("\n"))}

Reply to this email to answer the sender.
`;
}

const asked = "\nThe sender also asked to join the investor network";

/** Tells the firm that the sender also asked to join the investor network, and what became of the link to confirm it. */
const joiningNotes: Record<NetworkOutcome, string> = {
  sent: `${asked}, and can confirm it by email.\n`,
  waits: `${asked}. The link to confirm it waits, because ${withheldReasons.waits}. It goes out by itself. To send it at once, open the person in the network and choose “Send it now”.\n`,
  mailbox: `${asked}. No link to confirm it was sent, because ${withheldReasons.mailbox}.\n`,
  none: `${asked}. No new link to confirm it was sent: one waits or went out shortly before, or this person gets no mail from the network.\n`,
};

/** Leads to the message's own page, where an admin can reply. */
export function messageLine(id: string, siteUrl: string | undefined): string {
  return siteUrl ? `Open and reply: ${new URL(`/admin/messages/${id}`, siteUrl).href}\n` : "Sign in to open it.\n";
}

/**
 * Writes the link for a person who replied in their own mail program. It opens a page and changes nothing by itself.
 */
export function answeredLine(siteUrl: string | undefined, token: string | undefined): string {
  if (!siteUrl || !token) return "";
  return `I have answered: ${new URL(`/answered?token=${token}`, siteUrl).href}\n(This link ends ${linkDays.answered} days after the message was answered.)\n`;
}

/**
 * Quotes no input but a plain first name: anyone can enter another person's address, and our mail must not carry their
 * words to that person.
 */
function acknowledgement(
  { name, email: recipient }: ContactMessage,
  { url, firm, person, promise: given }: MessageMailSite,
): QueuedMail {
  const host = url ? new URL(url).host : undefined;
  const hours = `within ${given?.withinHours ?? usualReplyHours} hours${given?.days === "business" ? " on business days (Monday to Friday)" : ""}`;
  const promise = given
    ? `${hours}, by ${formatInstant(given.dueAt.toISOString(), given.timeZone, { weekday: "long" })}`
    : hours;
  const first = findFirstName(name);
  const signature = [person, firm, host].filter((line) => line !== undefined).join("\n");
  return {
    kind: "acknowledgement",
    recipient,
    reply_to: null,
    subject: acknowledgementSubject(firm ?? host),
    body: `Hello${first === null ? "" : ` ${first}`},

Thank you for writing to us. ${person ? `${person} reads` : "We read"} every message and will reply ${promise}, to this address.${given?.closing ? ` ${given.closing}` : ""}

If it is urgent, reply to this email and tell us by when you need an answer.
${signature === "" ? "" : `\n${signature}\n`}
You wrote with the form on ${host ?? "our website"}. You can withdraw your consent at any time: reply to this email and say so, and we will delete your message. Not you? Ignore this email, or reply and say so, and we will delete that message, too.
`,
  };
}
