import { PassThrough } from "node:stream";
import { createTransport } from "nodemailer";
import { formatMailbox } from "../mails/address-list.ts";
import { composeMessage, type Message } from "../mails/compose-message.ts";
import { connectionTo, greetingName, isMailServerAddress } from "./mail-server-address.ts";
import { mailTimes } from "./mail-times.ts";
import type { ClaimedMail } from "./outbox.ts";
import { functionHost, type FunctionHost, logEvent, setting } from "../host/runtime.ts";
import { classifySmtpError, type FailedDelivery, quoteReply } from "./smtp-error.ts";

/**
 * Result of a delivery attempt; "filed" means written to a file. `refused`: the firm's addresses that the server refused
 * while it took the mail for others.
 */
export type Delivery = { outcome: "delivered" | "filed"; refused?: RefusedAddress[] } | FailedDelivery;

/** An address of CONTACT_TO that the server refused, and why. */
export interface RefusedAddress extends FailedDelivery {
  address: string;
}

/** A call of Resend's API whose response is lost can be repeated, so it needs no minutes. */
const apiLimitMs = 25_000;

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
    // Only a host's own program may name another: no setting leads the key elsewhere.
    const response = await fetch(functionHost()?.setting("RESEND_API_URL") ?? "https://api.resend.com/emails", {
      method: "POST",
      // A redirect would take the mail's text to another host.
      redirect: "manual",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", "Idempotency-Key": message.id },
      body: JSON.stringify({
        from: formatMailbox(message.from),
        to: message.to.map((recipient) => recipient.address),
        reply_to: message.replyTo?.address,
        subject: message.subject,
        text: message.text,
        headers: { ...message.headers, "Message-ID": message.messageId },
      }),
      signal: AbortSignal.timeout(apiLimitMs),
    });
    // Resend returns an id for each accepted mail. A 200 without an id comes from another service at that address.
    const accepted = response.ok ? ((await response.json().catch(() => null)) as { id?: unknown } | null) : null;
    if (typeof accepted?.id === "string") return { outcome: "delivered" };
    if (response.ok) return { outcome: "retry", code: "resend-no-id" };
    const refusal = await response.text().catch(() => "");
    const failure = { code: `resend-${response.status}`, words: quoteReply(refusal) };
    // https://resend.com/docs/api-reference/rate-limit
    if (response.status === 429) {
      const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
      return { outcome: "busy", ...failure, waitSeconds: seconds >= 0 ? seconds : undefined };
    }
    // Only a recipient that Resend cannot read is final. A wrong key, an unverified sender or anything else is for the
    // operator to mend.
    const isRecipients = response.status === 422 && /invalid `to` field/i.test(refusal);
    return { outcome: isRecipients ? "rejected" : "retry", ...failure };
  } catch {
    return { outcome: "retry", code: "resend-unreachable" };
  }
}

async function sendBySmtp(message: Message, url: string): Promise<Delivery> {
  if (!isMailServerAddress(url)) return { outcome: "retry", code: "smtp-url-unreadable" };
  const stopping = functionHost()?.stopping;
  // Not AbortSignal.timeout: Node 20 collects it as garbage inside AbortSignal.any, and then it never fires.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), mailTimes().session);
  const transport = connectToMailServer(url);
  let isComplete = false;
  transport.use("stream", (mail, done) => {
    // The last stage: it ends when the session has taken the text and sends the final dot.
    mail.message.processFunc((text) => text.pipe(new PassThrough().once("end", () => (isComplete = true))));
    done();
  });
  try {
    const signal = stopping === undefined ? limit.signal : AbortSignal.any([limit.signal, stopping]);
    const { rejectedErrors = [] } = await transport.sendMail({ ...mimeOf(message), signal });
    const refused = rejectedErrors.map((error) => ({ ...classifySmtpError(error), address: error.recipient ?? "" }));
    return { outcome: "delivered", ...(refused.length > 0 ? { refused } : {}) };
  } catch (error) {
    const failure = classifySmtpError(error);
    // Without a reply to the final dot, the server may have taken the mail.
    if (isComplete && failure.words === undefined) return { outcome: "perhaps", code: "smtp-perhaps" };
    return stopping?.aborted ? { outcome: "busy", code: "smtp-stopped", waitSeconds: 0 } : failure;
  } finally {
    clearTimeout(timer);
  }
}

/** Creates the connection to a mail server, with the settings for encryption and sign-in. It opens with the first use. */
export function connectToMailServer(url: string) {
  const user = setting("SMTP_USER");
  const { greeting, reply } = mailTimes();
  return createTransport({
    ...connectionTo(url, setting("SMTP_TLS")),
    name: greetingName(setting("SITE_URL")),
    auth: user === undefined ? undefined : { user, pass: setting("SMTP_PASSWORD") ?? "" },
    connectionTimeout: greeting,
    greetingTimeout: greeting,
    dnsTimeout: greeting,
    socketTimeout: reply,
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
