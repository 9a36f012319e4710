import { randomUUID } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { parseAddressList, parseSender } from "#supabase/functions/_shared/mails/address-list";
import { type Delivery, sendEmail } from "#supabase/functions/_shared/outbox/send-email";
import { sendsInClear } from "#supabase/functions/_shared/outbox/mail-server-address";
import { runWithHost } from "#supabase/functions/_shared/host/runtime";
import type { Settings } from "../config/settings.server";
import { unencryptedMailWarning } from "../config/setup-warnings.server";
import { type MailFinding, type MailResolver, checkMailRecords } from "./mail-records.server";

/**
 * Looks at the records of the domains that mail comes from and goes to, and sends one mail to the firm.
 * @param selector DKIM's, where it is known
 * @returns what to tell the operator
 * @throws OperationRefused with the same text where something has to be mended, or nothing could be looked up
 */
export async function checkMail(
  { mail, siteUrl }: Pick<Settings, "mail" | "siteUrl">,
  selector: string | undefined,
  resolver: MailResolver = new Resolver({ timeout: 3_000, tries: 2 }),
): Promise<string> {
  const sender = domainOf(parseSender(mail.from)?.address);
  const recipients = parseAddressList(mail.contactTo).map((mailbox) => domainOf(mailbox?.address));
  if (sender.endsWith("localhost")) throw new OperationRefused("Set MAIL_FROM first: mail has no sender of yours yet.");
  const findings = await checkMailRecords({ sender, recipients, selector }, resolver).catch((error: unknown) => {
    throw new OperationRefused(`No name server answers (${(error as NodeJS.ErrnoException).code ?? "unknown"}).`);
  });
  if (mail.smtpUrl && sendsInClear(mail.smtpUrl, mail.smtpTls))
    findings.push({ verdict: "look", text: `Mail: ${unencryptedMailWarning}` });
  findings.push(await sendTestMail({ mail, siteUrl }));
  const text = findings.map(({ verdict, text: words }) => `${verdict.padEnd(4)}  ${words}`).join("\n");
  if (findings.some(({ verdict }) => verdict === "mend")) throw new OperationRefused(text);
  return text;
}

async function sendTestMail({ mail, siteUrl }: Pick<Settings, "mail" | "siteUrl">): Promise<MailFinding> {
  const settings: Record<string, string | undefined> = {
    SITE_URL: siteUrl,
    SMTP_URL: mail.smtpUrl,
    SMTP_USER: mail.smtpUser,
    SMTP_PASSWORD: mail.smtpPassword,
    SMTP_TLS: mail.smtpTls,
    RESEND_API_KEY: mail.resendApiKey,
    MAIL_FROM: mail.from,
    CONTACT_TO: mail.contactTo,
  };
  if (!mail.smtpUrl && !mail.resendApiKey)
    return {
      verdict: "mend",
      text: "Mail: no mail server is set (SMTP_URL or RESEND_API_KEY); mails are kept as files.",
    };
  const body =
    `${siteUrl} can send mail.\n\nIf this lies among spam, or its headers (“show original”) do not say spf=pass, dkim=pass and ` +
    "dmarc=pass, mend that first: visitors' mail programs judge alike.\n";
  const test = {
    id: randomUUID(),
    kind: "firm",
    recipient: null,
    reply_to: null,
    subject: "Test of the site's mail",
    body,
  } as const;
  const delivery: Delivery = await runWithHost({ setting: (name) => settings[name] }, () =>
    sendEmail({ ...test, thread: [], attempts: 1, created_at: new Date().toISOString() }),
  );
  if (delivery.outcome === "delivered")
    return {
      verdict: "look",
      text: `Mail: the mail server took one to ${mail.contactTo}. Look at its headers: spf=pass, dkim=pass, dmarc=pass.`,
    };
  const code = "code" in delivery ? delivery.code : delivery.outcome;
  return {
    verdict: "mend",
    text: `Mail: the mail server did not take one to ${mail.contactTo} (${code}).${hintFor(code)}`,
  };
}

function hintFor(code: string): string {
  if (["smtp-535", "smtp-534", "smtp-eauth"].includes(code))
    return " It refuses the user or the password: in SMTP_URL a program reads % and what follows as one character, so set SMTP_USER and SMTP_PASSWORD instead, which are taken as they are.";
  if (code === "smtp-no-tls")
    return " It offers no encryption (STARTTLS), so nothing was sent. Use its smtps:// address. A relay in the same container network may do without: SMTP_TLS=off.";
  return "";
}

function domainOf(address: string | undefined): string {
  return (address?.split("@")[1] ?? "").toLowerCase();
}
