import { stripDirectionMarks } from "../../../../app/lib/plain-text.ts";
import type { ClaimedMail } from "../outbox/outbox.ts";
import { setting } from "../host/runtime.ts";
import { type Mailbox, parseAddressList, parseSender } from "./address-list.ts";

/** A mail with its addresses, ready for any way of sending. */
export interface Message {
  /** The outbox's id: the same mail has the same id however often it is sent. */
  id: string;
  messageId: string;
  from: Mailbox;
  to: Mailbox[];
  replyTo?: Mailbox;
  subject: string;
  text: string;
  headers: Record<string, string>;
}

/** A setting that keeps a mail from being sent. */
export type AddressMistake = "no-address-set" | "mail-from-is-no-address" | "contact-to-is-no-address";

/**
 * Adds what the settings know: the sender (`MAIL_FROM`) and the firm's addresses (`CONTACT_TO`, a list).
 * Either stands in for the other.
 * @param options mayInventAddresses: with neither set, use names at the site's host; only fit for files
 */
export function composeMessage(mail: ClaimedMail, options: { mayInventAddresses: boolean }): Message | AddressMistake {
  const host = new URL(setting("SITE_URL") ?? "http://localhost").hostname;
  const [sender, contacts] = [setting("MAIL_FROM"), setting("CONTACT_TO")];
  const invented = options.mayInventAddresses ? [{ name: "", address: `contact@${host}` }] : [];
  // One that is no address must not keep a message from the others.
  const listed = parseAddressList(contacts ?? sender ?? "").filter((mailbox) => mailbox !== null);
  const firm = contacts || sender ? listed : invented;
  const from = sender ? parseSender(sender) : firm[0];
  if (from === null) return "mail-from-is-no-address";
  const to = mail.recipient ? [{ name: "", address: mail.recipient }] : firm;
  if (!from || to.length === 0) return contacts ? "contact-to-is-no-address" : "no-address-set";
  // Derived from the mail, so that a receiver can tell that a second delivery is the same mail, and that a later mail can name it.
  const messageIdOf = (id: string) => `<${id}@${from.address.split("@")[1] ?? host}>`;
  return {
    id: mail.id,
    messageId: messageIdOf(mail.id),
    from,
    to,
    replyTo: mail.reply_to ? { name: "", address: mail.reply_to } : mail.recipient ? firm[0] : undefined,
    subject: stripDirectionMarks(mail.subject),
    text: stripDirectionMarks(mail.body),
    headers: { ...automationHeaders(mail.kind), ...threadHeaders(mail.thread.map(messageIdOf)) },
  };
}

/**
 * Keeps out-of-office robots from answering what no person wrote: by RFC 3834 (section 5), and for Exchange, which goes by a header of its
 * own (MS-OXCMAIL, 2.2.3.2.14). Not "All", which would keep back reports of mail that cannot be delivered as well.
 */
function automationHeaders(kind: ClaimedMail["kind"]): Record<string, string> {
  if (kind === "reply") return {};
  return {
    "Auto-Submitted": kind.endsWith("acknowledgement") ? "auto-replied" : "auto-generated",
    "X-Auto-Response-Suppress": "OOF, AutoReply",
  };
}

/** Shows a mail in the conversation that it belongs to (RFC 5322, section 3.6.4). */
function threadHeaders(messageIds: string[]): Record<string, string> {
  const last = messageIds.at(-1);
  return last === undefined ? {} : { "In-Reply-To": last, References: messageIds.join(" ") };
}
