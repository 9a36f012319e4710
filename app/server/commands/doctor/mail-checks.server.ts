import { Readable } from "node:stream";
import { connectToMailServer } from "#supabase/functions/_shared/outbox/send-email";
import { parseAddressList, parseSender } from "#supabase/functions/_shared/mails/address-list";
import { classifySmtpError } from "#supabase/functions/_shared/outbox/smtp-error";
import { runWithHost, setting } from "#supabase/functions/_shared/host/runtime";
import type { Settings } from "../../config/settings.server";
import { domainOf, hintFor, mailSettings, quoteFailure } from "../check-mail.server";
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
  return signIn(mail.smtpUrl, settings);
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

/** Limits within that of a check. */
const mailTimes = { greeting: 4_000, reply: 4_000 };

async function signIn(url: string, settings: Settings): Promise<Finding[]> {
  const name = "mail server";
  const given = mailSettings(settings);
  const host = { setting: (key: string) => given[key], mailTimes };
  return runWithHost(host, async () => {
    try {
      await connectToMailServer(url).verify();
    } catch (error) {
      const failure = classifySmtpError(error);
      const remedy = hintFor(failure.code).trim() || "Check SMTP_URL, and that this machine may connect to that port.";
      // A busy server may respond later.
      const judge = failure.code === "smtp-etimedout" ? lookAt : fix;
      return [judge(name, `It does not accept the connection or the sign-in (${quoteFailure(failure)}).`, remedy)];
    }
    const refused = await Promise.all(
      listFirm(settings).map((address, index) => checkAddress(url, address, index + 1)),
    );
    return [ok(name, "It accepts the connection, with encryption and sign-in as set."), ...refused.flat()];
  });
}

/** Lists the addresses of CONTACT_TO, which the mail server may refuse one by one. */
function listFirm({ mail }: Settings): string[] {
  return parseAddressList(mail.contactTo).flatMap((mailbox) => mailbox?.address ?? []);
}

/** Asks for one address and ends the session before any text, so that no mail is sent (RFC 5321, 4.1.1.4). */
async function checkAddress(url: string, to: string, place: number): Promise<Finding[]> {
  const from = parseSender(setting("MAIL_FROM") ?? "")?.address;
  const transport = connectToMailServer(url);
  transport.use("stream", (mail, done) => {
    // Read once the server has accepted the address and waits for the text.
    const ending = new Readable({ read: () => void ending.destroy(new Error("asked for the address only")) });
    mail.message.processFunc(() => ending);
    done();
  });
  const error = await transport.sendMail({ envelope: { from, to: [to] }, text: "" }).then(
    () => null,
    (failure: unknown) => failure,
  );
  const failure = classifySmtpError(error);
  if (failure.words === undefined) return [];
  const judge = failure.code.startsWith("smtp-5") ? fix : lookAt;
  const remedy = "Correct CONTACT_TO, or the mailbox. The other addresses get the mail.";
  return [
    judge("mail address", `The mail server refuses address ${place} of CONTACT_TO (${quoteFailure(failure)}).`, remedy),
  ];
}
