import { createTransport } from "nodemailer";
import { formatMailbox } from "../mails/address-list.ts";
import { composeMessage, type Message } from "../mails/compose-message.ts";
import { connectionTo, isMailServerAddress } from "./mail-server-address.ts";
import type { ClaimedMail } from "./outbox.ts";
import { functionHost, type FunctionHost, logEvent, setting } from "../host/runtime.ts";
import { classifySmtpError, type FailedDelivery } from "./smtp-error.ts";

/** Result of a delivery attempt; "filed" means written to a file. */
export type Delivery = { outcome: "delivered" | "filed" } | FailedDelivery;

/** Upper limit of an attempt. The lease of a mail must be longer. */
export const attemptLimitMs = 25_000;

/**
 * Sends one mail through the configured transport: Resend's API (`RESEND_API_KEY`), a mail server (`SMTP_URL`, with
 * `SMTP_USER` and `SMTP_PASSWORD` if the URL contains neither; `SMTP_TLS` may turn off encryption), or a file. Never
 * throws.
 */
export async function sendEmail(mail: ClaimedMail): Promise<Delivery> {
  const resendKey = setting("RESEND_API_KEY");
  const smtpUrl = setting("SMTP_URL");
  const message = composeMessage(mail, { mayInventAddresses: writesFiles() });
  if (typeof message === "string") return { outcome: "retry", code: message };
  if (resendKey) return sendByResend(message, resendKey);
  if (smtpUrl) return sendBySmtp(message, smtpUrl);
  return writeToFile(message, functionHost());
}

/** Returns true when mail is written to files, because no transport is configured. */
export function writesFiles(): boolean {
  return !setting("RESEND_API_KEY") && !setting("SMTP_URL");
}

/**
 * See https://resend.com/docs/api-reference/emails/send-email. Resend treats calls with the same idempotency key as one
 * mail for 24 hours.
 */
async function sendByResend(message: Message, key: string): Promise<Delivery> {
  try {
    const response = await fetch(setting("RESEND_API_URL") ?? "https://api.resend.com/emails", {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Idempotency-Key": message.id },
      body: JSON.stringify({
        from: formatMailbox(message.from),
        to: message.to.map((recipient) => recipient.address),
        reply_to: message.replyTo?.address,
        subject: message.subject,
        text: message.text,
        headers: { ...message.headers, "Message-ID": message.messageId },
      }),
      signal: AbortSignal.timeout(attemptLimitMs),
    });
    // Resend returns an id for each accepted mail. A 200 without an id comes from another service at that address.
    const accepted = response.ok ? ((await response.json().catch(() => null)) as { id?: unknown } | null) : null;
    if (typeof accepted?.id === "string") return { outcome: "delivered" };
    if (response.ok) return { outcome: "retry", code: "resend-no-id" };
    // Only a recipient that Resend cannot read is final. A wrong key, an unverified sender or anything else is for the
    // operator to mend.
    const refusal = await response.text().catch(() => "");
    const isRecipients = response.status === 422 && /invalid `to` field/i.test(refusal);
    return { outcome: isRecipients ? "rejected" : "retry", code: `resend-${response.status}` };
  } catch {
    return { outcome: "retry", code: "resend-unreachable" };
  }
}

async function sendBySmtp(message: Message, url: string): Promise<Delivery> {
  if (!isMailServerAddress(url)) return { outcome: "retry", code: "smtp-url-unreadable" };
  try {
    const signal = AbortSignal.timeout(attemptLimitMs);
    await connectToMailServer(url).sendMail({ ...mimeOf(message), signal });
    return { outcome: "delivered" };
  } catch (error) {
    return classifySmtpError(error);
  }
}

/** Creates the connection to a mail server, with the settings for encryption and sign-in. It opens with the first use. */
export function connectToMailServer(url: string, connectMs = 8_000) {
  const user = setting("SMTP_USER");
  return createTransport({
    ...connectionTo(url, setting("SMTP_TLS")),
    auth: user === undefined ? undefined : { user, pass: setting("SMTP_PASSWORD") ?? "" },
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: 15_000,
  });
}

/** Writes one file per mail, named by its id: a repeated delivery overwrites it, and it is deleted with the mail. */
async function writeToFile(message: Message, host: FunctionHost | null): Promise<Delivery> {
  if (!host?.keepMailFile) return { outcome: "retry", code: "no-mail-server-set" };
  const file = `${message.id}.eml`;
  try {
    const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
    const { message: bytes } = await transport.sendMail(mimeOf(message));
    await host.keepMailFile(file, bytes as Uint8Array);
  } catch {
    return { outcome: "retry", code: "file-not-written" };
  }
  logEvent({ event: "mail-written-to-file", reason: "mail written to a file: no mail server is set", file });
  return { outcome: "filed" };
}

function mimeOf({ from, to, replyTo, subject, text, messageId, headers }: Message) {
  return { from, to, replyTo, subject, text, messageId, headers, disableFileAccess: true, disableUrlAccess: true };
}
