import { randomUUID } from "node:crypto";
import { parseAddressList, parseSender } from "#supabase/functions/_shared/mails/address-list";
import { type FunctionHost, runWithHost } from "#supabase/functions/_shared/host/runtime";
import { type Delivery, sendEmail } from "#supabase/functions/_shared/outbox/send-email";
import type { Settings } from "../../config/settings.server";
import { listMailSettings, listSiteFacts } from "../../config/site-facts.server";
import { type Finding, type Installation, fix, notChecked, notYet, ok } from "./finding.server";
import { findMailRemedy, quoteFailure } from "./mail-failure.server";

const name = "test email";

/** An operator waits for the command, so it cannot wait as long as the site does. */
const sessionMs = 60_000;

/** Creates the host with which this command uses the mail server as the functions do. */
export function createMailHost(
  settings: Pick<Settings, "mail" | "siteUrl" | "replyClock">,
  mailTimes: FunctionHost["mailTimes"],
) {
  const given: Record<string, string | undefined> = { ...listSiteFacts(settings), ...listMailSettings(settings) };
  return { setting: (key: string) => given[key], mailTimes };
}

/** Returns the domain of an address in lower case. */
export function domainOf(address: string | undefined): string {
  return (address?.split("@")[1] ?? "").toLowerCase();
}

/** Returns true for the default sender, which no mail server takes. */
export function lacksSender(from: string): boolean {
  return domainOf(parseSender(from)?.address).endsWith("localhost");
}

/** Sends the firm one email by the settings of the site, as the site sends them. */
export async function sendTestMail({ settings }: Pick<Installation, "settings">): Promise<Finding[]> {
  const { mail, siteUrl, backend } = settings;
  const words = "doctor --send-mail";
  if (backend.kind === "hosted")
    return [notChecked(name, "The project's functions send mail.", "Send a message with the site's contact form.")];
  if (!mail.smtpUrl && !mail.resendApiKey)
    return [notYet(name, "No mail server is set, so mail is written to files.", "Set SMTP_URL", words)];
  if (lacksSender(mail.from)) return [notYet(name, "MAIL_FROM is no address of yours.", "Set MAIL_FROM", words)];
  const host = createMailHost(settings, { session: sessionMs });
  return [judge(await runWithHost(host, () => sendEmail(writeTestMail(siteUrl))), mail)];
}

function writeTestMail(siteUrl: string) {
  const body =
    `${siteUrl} can send mail.\n\nIf this email is in your spam folder, or its headers (“show original”) lack spf=pass, dkim=pass or ` +
    "dmarc=pass, fix that first: visitors' mail programs decide the same way.\n";
  const addresses = { recipient: null, reply_to: null, sender_name: null };
  const state = { thread: [], link: null, attempts: 1, created_at: new Date().toISOString() };
  return { id: randomUUID(), kind: "firm", subject: "Test of the site's mail", body, ...addresses, ...state } as const;
}

function judge(delivery: Delivery, mail: Settings["mail"]): Finding {
  if ("refused" in delivery && delivery.refused?.length) {
    const firm = parseAddressList(mail.contactTo).map((mailbox) => mailbox?.address);
    const refused = delivery.refused.map((each) => `${firm.indexOf(each.address) + 1} (${quoteFailure(each)})`);
    const text = `The mail server took it, but not for address ${refused.join(" and ")} of CONTACT_TO.`;
    return fix(name, text, "Correct CONTACT_TO, or the mailbox. The other addresses get the mail.");
  }
  if (delivery.outcome === "delivered")
    return ok(
      name,
      "The mail server took it. Look into its headers at CONTACT_TO for spf=pass, dkim=pass and dmarc=pass.",
    );
  const failure = "code" in delivery ? delivery : { code: delivery.outcome };
  const action = delivery.outcome === "perhaps" ? "did not confirm" : "refused";
  const remedy = findMailRemedy(failure.code, mail) ?? "Correct the mail settings: docs/operations/mail.md.";
  return fix(name, `The mail server ${action} it (${quoteFailure(failure)}).`, remedy);
}
