import type { ClaimedMail } from "../outbox/outbox.ts";
import { setting } from "../host/runtime.ts";

/** A mail with its addresses, ready for any way of sending. */
export interface Message {
  /** The outbox's id: the same mail has the same id however often it is sent. */
  id: string;
  messageId: string;
  from: string;
  to: Address[];
  replyTo?: Address;
  subject: string;
  text: string;
  headers: Record<string, string>;
}

/** An address in parts: whatever it holds, no parser can find a second recipient in it. */
interface Address {
  name: string;
  address: string;
}

/**
 * Adds what the settings know: the sender (`MAIL_FROM`) and the firm's addresses (`CONTACT_TO`, separated by commas).
 * Either stands in for the other.
 * @param options mayInventAddresses: with neither set, use names at the site's host; only fit for files
 * @returns null when there is no address to send from or to
 */
export function composeMessage(mail: ClaimedMail, options: { mayInventAddresses: boolean }): Message | null {
  const host = new URL(setting("SITE_URL") ?? "http://localhost").hostname;
  const invented = options.mayInventAddresses ? `contact@${host}` : undefined;
  const from = setting("MAIL_FROM") ?? setting("CONTACT_TO")?.split(",")[0]?.trim() ?? invented;
  const firm = (setting("CONTACT_TO") ?? from)?.split(",").map((address) => bare(address));
  if (!from || !firm) return null;
  const replyTo = mail.reply_to ?? (mail.recipient ? firm[0] : undefined);
  // Derived from the mail, so that a receiver can tell that a second delivery is the same mail, and that a later mail can name it.
  const messageIdOf = (id: string) => `<${id}@${bare(from).split("@")[1] ?? host}>`;
  return {
    id: mail.id,
    messageId: messageIdOf(mail.id),
    from,
    to: (mail.recipient ? [mail.recipient] : firm).map((address) => ({ name: "", address })),
    replyTo: replyTo ? { name: "", address: replyTo } : undefined,
    subject: mail.subject,
    text: mail.body,
    headers: { ...automationHeaders(mail.kind), ...threadHeaders(mail.thread.map(messageIdOf)) },
  };
}

/** Keeps out-of-office robots from answering what no person wrote (RFC 3834, section 5). */
function automationHeaders(kind: ClaimedMail["kind"]): Record<string, string> {
  if (kind === "reply") return {};
  return { "Auto-Submitted": kind.endsWith("acknowledgement") ? "auto-replied" : "auto-generated" };
}

/** Shows a mail in the conversation that it belongs to (RFC 5322, section 3.6.4). */
function threadHeaders(messageIds: string[]): Record<string, string> {
  const last = messageIds.at(-1);
  return last === undefined ? {} : { "In-Reply-To": last, References: messageIds.join(" ") };
}

/** "Firm <hello@firm.example>" becomes "hello@firm.example". */
function bare(address: string): string {
  return (/<([^<>]*)>/.exec(address)?.[1] ?? address).trim();
}
