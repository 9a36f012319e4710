import { Readable } from "node:stream";
import { connectToMailServer } from "#supabase/functions/_shared/outbox/send-email";
import { parseAddressList, parseSender } from "#supabase/functions/_shared/mails/address-list";
import { classifySmtpError } from "#supabase/functions/_shared/outbox/smtp-error";
import { runWithHost, setting } from "#supabase/functions/_shared/host/runtime";
import type { Settings } from "../../config/settings.server";
import { commandLine } from "~/lib/command-line";
import { type Finding, type Installation, fix, lookAt, notChecked, notYet, ok } from "./finding.server";
import { findMailRemedy, quoteFailure } from "./mail-failure.server";
import { checkMailRecords } from "./mail-records.server";
import { createMailHost, domainOf, lacksSender, sendTestMail } from "./test-mail.server";

/** Checks the DNS records of the sender and of the firm's addresses. */
export async function checkMailRecordsOfSite({ settings, resolver, selector }: Installation): Promise<Finding[]> {
  const { backend, mail } = settings;
  if (backend.kind === "hosted" || !(mail.smtpUrl || mail.resendApiKey)) return [];
  const sender = domainOf(parseSender(mail.from)?.address);
  if (lacksSender(mail.from))
    return [fix("mail sender", "MAIL_FROM is no address of yours.", "Set MAIL_FROM to an address of your domain.")];
  const recipients = parseAddressList(mail.contactTo).map((mailbox) => domainOf(mailbox?.address));
  try {
    return await checkMailRecords({ sender, recipients, selector }, resolver);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return [
      notChecked("mail DNS", `No name server responds (${code}).`, `Run \`${commandLine("doctor")}\` where one does.`),
    ];
  }
}

/** Connects and signs in to the mail server. Then sends a mail if the operator asked for it. */
export async function checkMailServer(installation: Installation): Promise<Finding[]> {
  const findings = await askMailServer(installation);
  if (!installation.sendsMail) return findings;
  if (findings[0]?.verdict !== "fix") return [...findings, ...(await sendTestMail(installation))];
  return [...findings, notYet("test email", "The mail server is not usable.", "Correct that", "doctor --send-mail")];
}

async function askMailServer({ settings }: Installation): Promise<Finding[]> {
  const { backend, mail } = settings;
  const name = "mail server";
  if (backend.kind === "hosted")
    return [notChecked(name, "The project's functions send mail.", "Look for late mail at /admin/mail.")];
  if (mail.resendApiKey)
    return [notChecked(name, "Resend tells only when it sends.", `Run \`${commandLine("doctor --send-mail")}\`.`)];
  if (!mail.smtpUrl)
    return [notChecked(name, "None is set, so mail is written to files.", "Set SMTP_URL: docs/operations/mail.md.")];
  return signIn(mail.smtpUrl, settings);
}

/** Limits within that of a check. */
const mailTimes = { greeting: 4_000, reply: 4_000 };

async function signIn(url: string, settings: Settings): Promise<Finding[]> {
  const name = "mail server";
  return runWithHost(createMailHost(settings, mailTimes), async () => {
    try {
      await connectToMailServer(url).verify();
    } catch (error) {
      const failure = classifySmtpError(error);
      const remedy =
        findMailRemedy(failure.code, settings.mail) ??
        "Check SMTP_URL, and that this machine may connect to that port.";
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
