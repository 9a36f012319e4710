import { stripDirectionMarks } from "../../../../app/lib/plain-text.ts";
import type { ClaimedMail } from "../outbox/outbox.ts";
import { setting } from "../host/runtime.ts";
import { type Mailbox, parseAddressList, parseSender } from "./address-list.ts";
import { memberLink } from "./network-mail.ts";

/** A complete mail with its addresses, for any transport. */
export interface Message {
  /** The id in the outbox. It stays the same across delivery attempts. */
  id: string;
  messageId: string;
  from: Mailbox;
  to: Mailbox[];
  replyTo?: Mailbox;
  subject: string;
  text: string;
  headers: Record<string, string>;
}

/** Problem with a setting that prevents sending. */
export type AddressMistake =
  "no-address-set" | "mail-from-is-no-address" | "contact-to-is-no-address" | "site-url-not-set";

/**
 * Adds the sender (`MAIL_FROM`) and the firm's addresses (`CONTACT_TO`, a list) from the settings. Each defaults to the
 * other. Without a name of its own, the sender has the firm's.
 * @param options mayInventAddresses: if neither is set, use addresses at the site's host; only suitable for files
 */
export function composeMessage(mail: ClaimedMail, options: { mayInventAddresses: boolean }): Message | AddressMistake {
  const siteUrl = setting("SITE_URL");
  if (mail.link && !siteUrl) return "site-url-not-set";
  const host = new URL(siteUrl ?? "http://localhost").hostname;
  const [sender, contacts] = [setting("MAIL_FROM"), setting("CONTACT_TO")];
  const invented = options.mayInventAddresses ? [{ name: "", address: `contact@${host}` }] : [];
  // Skip invalid entries, so that the valid ones still get the message.
  const listed = parseAddressList(contacts ?? sender ?? "").filter((mailbox) => mailbox !== null);
  const firm = contacts || sender ? listed : invented;
  const from = sender ? parseSender(sender) : firm[0];
  if (from === null) return "mail-from-is-no-address";
  const to = mail.recipient ? [{ name: "", address: mail.recipient }] : firm;
  if (!from || to.length === 0) return contacts ? "contact-to-is-no-address" : "no-address-set";
  // Derived from the mail's id, so that a receiver can detect a repeated delivery, and a later mail can reference this
  // one.
  const messageIdOf = (id: string) => `<${id}@${from.address.split("@")[1] ?? host}>`;
  return {
    id: mail.id,
    messageId: messageIdOf(mail.id),
    from: { ...from, name: nameSender(mail, from.name) },
    to,
    replyTo: mail.reply_to ? { name: "", address: mail.reply_to } : mail.recipient ? firm[0] : undefined,
    subject: stripDirectionMarks(mail.subject),
    text: stripDirectionMarks(textOf(mail, siteUrl)),
    headers: {
      ...automationHeaders(mail.kind),
      ...threadHeaders(mail.thread.map(messageIdOf)),
      ...(mail.link?.to === "letter" ? listHeaders(mail.link.token, siteUrl) : {}),
    },
  };
}

/** Names a reply's sender as a person of the firm: "Ada Hale, Hale & Co". A letter names the firm as it was at "Send". */
function nameSender({ kind, sender_name }: ClaimedMail, firm: string): string {
  if (kind.startsWith("letter")) return firm || (sender_name ?? "");
  return [...new Set([sender_name, firm || setting("FIRM_NAME")])].filter(Boolean).join(", ");
}

/**
 * Prevents automatic replies to automatic mail: RFC 3834 (section 5), and for Exchange its own header (MS-OXCMAIL,
 * 2.2.3.2.14). Not "All", which would also suppress delivery reports. A person writes a letter, so RFC 3834 forbids to
 * call it automatic; its List-Id prevents replies (section 2).
 */
function automationHeaders(kind: ClaimedMail["kind"]): Record<string, string> {
  if (kind === "reply") return {};
  if (kind.startsWith("letter")) return { "X-Auto-Response-Suppress": "OOF, AutoReply" };
  return {
    "Auto-Submitted": kind.endsWith("acknowledgement") ? "auto-replied" : "auto-generated",
    "X-Auto-Response-Suppress": "OOF, AutoReply",
  };
}

/** Puts a member's link between the parts of the text. */
function textOf({ body, link }: ClaimedMail, siteUrl: string | undefined): string {
  return link && siteUrl ? `${body}\n\n${memberLink(link.to, link.token, siteUrl)}\n\n${link.closing}` : body;
}

/** Names the network as a list (RFC 2919), and lets mail programs stop it with one click (RFC 2369, RFC 8058). */
function listHeaders(token: string, siteUrl: string | undefined): Record<string, string> {
  if (siteUrl === undefined) return {};
  return {
    "List-Id": `<network.${new URL(siteUrl).hostname}>`,
    "List-Unsubscribe": `<${new URL(`/network/stop?token=${token}`, siteUrl).href}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** Adds a mail to its conversation (RFC 5322, section 3.6.4). */
function threadHeaders(messageIds: string[]): Record<string, string> {
  const last = messageIds.at(-1);
  return last === undefined ? {} : { "In-Reply-To": last, References: messageIds.join(" ") };
}
