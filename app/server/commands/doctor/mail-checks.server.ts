import { connectToMailServer } from "#supabase/functions/_shared/outbox/send-email";
import { parseAddressList, parseSender } from "#supabase/functions/_shared/mails/address-list";
import { classifySmtpError } from "#supabase/functions/_shared/outbox/smtp-error";
import { runWithHost } from "#supabase/functions/_shared/host/runtime";
import { domainOf, hintFor, mailSettings } from "../check-mail.server";
import { checkMailRecords } from "../mail-records.server";
import { type Finding, type Installation, fix, lookAt, notChecked, ok } from "./finding.server";

/** Checks the DNS records of the sender and of the firm's addresses. */
export async function checkMailRecordsOfSite(installation: Installation): Promise<Finding[]> {
  const { backend, mail } = installation.settings;
  return backend.kind === "embedded" && (mail.smtpUrl || mail.resendApiKey) ? checkRecords(installation) : [];
}

/** Connects and signs in to the mail server, without sending a mail. */
export async function checkMailServer({ settings }: Installation): Promise<Finding[]> {
  const { backend, mail } = settings;
  const name = "mail server";
  if (backend.kind === "hosted")
    return [notChecked(name, "The project's functions send mail.", "Look for late mail at /admin/mail.")];
  if (mail.resendApiKey)
    return [notChecked(name, "Resend tells only when it sends.", "`check-mail` sends a test mail.")];
  if (!mail.smtpUrl) return [notChecked(name, "None is set, so mail is written to files.")];
  return [await signIn(mail.smtpUrl, mailSettings(settings))];
}

async function checkRecords({ settings, resolver }: Installation): Promise<Finding[]> {
  const { mail } = settings;
  const sender = domainOf(parseSender(mail.from)?.address);
  if (sender.endsWith("localhost"))
    return [fix("mail sender", "MAIL_FROM is no address of yours.", "Set MAIL_FROM to an address of your domain.")];
  const recipients = parseAddressList(mail.contactTo).map((mailbox) => domainOf(mailbox?.address));
  try {
    const findings = await checkMailRecords({ sender, recipients, selector: undefined }, resolver);
    return findings.map(({ verdict, text, isUnknown }) => {
      const name = "mail DNS";
      if (verdict === "ok") return ok(name, text);
      if (isUnknown) return notChecked(name, text);
      return (verdict === "error" ? fix : lookAt)(name, text, `Correct it where the DNS of ${sender} is managed.`);
    });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return [notChecked("mail DNS", `No name server responds (${code}).`, "Run `check-mail` where one does.")];
  }
}

/** Leaves time for the sign-in within the limit of a check. */
const connectMs = 4_000;

async function signIn(url: string, given: Record<string, string | undefined>): Promise<Finding> {
  const name = "mail server";
  try {
    await runWithHost({ setting: (key) => given[key] }, () => connectToMailServer(url, connectMs).verify());
    return ok(name, "It accepts the connection, with encryption and sign-in as set.");
  } catch (error) {
    const { code } = classifySmtpError(error);
    const remedy = hintFor(code).trim() || "Check SMTP_URL, and that this machine may connect to that port.";
    // A busy server may respond later.
    const judge = code === "smtp-etimedout" ? lookAt : fix;
    return judge(name, `It does not accept the connection or the sign-in (${code}).`, remedy);
  }
}
