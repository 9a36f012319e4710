import { randomUUID } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { parseAddressList, parseSender } from "#supabase/functions/_shared/mails/address-list";
import { type Delivery, sendEmail } from "#supabase/functions/_shared/outbox/send-email";
import { sendsUnencrypted } from "#supabase/functions/_shared/outbox/mail-server-address";
import { runWithHost } from "#supabase/functions/_shared/host/runtime";
import type { Settings } from "../config/settings.server";
import { unencryptedMailWarning } from "../config/setup-warnings.server";
import { type MailFinding, type MailResolver, checkMailRecords } from "./mail-records.server";

/**
 * Checks the DNS records of the domains that mail comes from and goes to, and sends the firm a test email.
 * @param selector DKIM selector, if known
 * @returns the findings, for the operator
 * @throws OperationRefused with the same text if there is an error, or if DNS lookups fail
 */
export async function checkMail(
  { mail, siteUrl }: Pick<Settings, "mail" | "siteUrl">,
  selector: string | undefined,
  resolver: MailResolver = new Resolver({ timeout: 3_000, tries: 2 }),
): Promise<string> {
  const sender = domainOf(parseSender(mail.from)?.address);
  const recipients = parseAddressList(mail.contactTo).map((mailbox) => domainOf(mailbox?.address));
  if (sender.endsWith("localhost"))
    throw new OperationRefused("Set MAIL_FROM first: mail has no sender of your own yet.");
  const findings = await checkMailRecords({ sender, recipients, selector }, resolver).catch((error: unknown) => {
    throw new OperationRefused(`No name server responds (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  });
  if (mail.smtpUrl && sendsUnencrypted(mail.smtpUrl, mail.smtpTls))
    findings.push({ verdict: "check", text: `Mail: ${unencryptedMailWarning}` });
  findings.push(await sendTestMail({ mail, siteUrl }));
  const text = findings.map(({ verdict, text: words }) => `${verdict.padEnd(5)}  ${words}`).join("\n");
  if (findings.some(({ verdict }) => verdict === "error")) throw new OperationRefused(text);
  return text;
}

/** Returns the settings of mail as the functions read them. */
export function mailSettings({
  mail,
  siteUrl,
}: Pick<Settings, "mail" | "siteUrl">): Record<string, string | undefined> {
  return {
    SITE_URL: siteUrl,
    SMTP_URL: mail.smtpUrl,
    SMTP_USER: mail.smtpUser,
    SMTP_PASSWORD: mail.smtpPassword,
    SMTP_TLS: mail.smtpTls,
    RESEND_API_KEY: mail.resendApiKey,
    MAIL_FROM: mail.from,
    CONTACT_TO: mail.contactTo,
    FIRM_NAME: mail.firmName,
  };
}

async function sendTestMail({ mail, siteUrl }: Pick<Settings, "mail" | "siteUrl">): Promise<MailFinding> {
  const settings = mailSettings({ mail, siteUrl });
  if (!mail.smtpUrl && !mail.resendApiKey)
    return {
      verdict: "error",
      text: "Mail: no mail server is set (SMTP_URL or RESEND_API_KEY); mail is stored as files.",
    };
  const body =
    `${siteUrl} can send mail.\n\nIf this email is in your spam folder, or its headers (“show original”) lack spf=pass, dkim=pass or ` +
    "dmarc=pass, fix that first: visitors' mail programs decide the same way.\n";
  const test = {
    id: randomUUID(),
    kind: "firm",
    recipient: null,
    reply_to: null,
    sender_name: null,
    subject: "Test of the site's mail",
    body,
  } as const;
  const host = { setting: (name: string) => settings[name], mailTimes: { session: commandLimitMs } };
  const delivery: Delivery = await runWithHost(host, () =>
    sendEmail({ ...test, thread: [], link: null, attempts: 1, created_at: new Date().toISOString() }),
  );
  if ("refused" in delivery && delivery.refused?.length) {
    const refused = delivery.refused.map(({ address, ...failure }) => `${address} (${quoteFailure(failure)})`);
    return { verdict: "error", text: `Mail: the mail server took a test email, but not to ${refused.join(", ")}.` };
  }
  if (delivery.outcome === "delivered")
    return {
      verdict: "check",
      text: `Mail: the mail server accepted a test email to ${mail.contactTo}. Check its headers for spf=pass, dkim=pass, dmarc=pass.`,
    };
  const failure = "code" in delivery ? delivery : { code: delivery.outcome };
  const action = delivery.outcome === "perhaps" ? "did not confirm" : "rejected";
  return {
    verdict: "error",
    text: `Mail: the mail server ${action} a test email to ${mail.contactTo} (${quoteFailure(failure)}).${hintFor(failure.code)}`,
  };
}

/** An operator waits for the command, so it cannot wait as long as the site does. */
const commandLimitMs = 60_000;

/** Joins the code of a failure and the server's own words. */
export function quoteFailure({ code, words }: { code: string; words?: string | undefined }): string {
  return words === undefined ? code : `${code}: “${words}”`;
}

/** Returns the remedy for a mail server's refusal, or nothing. */
export function hintFor(code: string): string {
  if (/^smtp-(?:auth-53[45]|eauth$)/.test(code))
    return " It rejects the user or the password. In SMTP_URL, % and the next two characters are decoded as one, so set SMTP_USER and SMTP_PASSWORD instead, which are used literally.";
  if (code.startsWith("smtp-ehlo-"))
    return " It does not accept the name in EHLO, which is the host of SITE_URL. Set SITE_URL to the public name, or allow this machine at the mail server.";
  if (code === "smtp-no-tls")
    return " It offers no encryption (STARTTLS), so nothing was sent. Use its smtps:// address. For a relay in the same container network you can set SMTP_TLS=off.";
  return "";
}

/** Returns the domain of an address in lower case. */
export function domainOf(address: string | undefined): string {
  return (address?.split("@")[1] ?? "").toLowerCase();
}
