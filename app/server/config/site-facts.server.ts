import { writeClosedDays } from "~/lib/closed-days";
import type { SiteFacts } from "#supabase/functions/_shared/host/runtime";
import type { Settings } from "./settings.server";

/**
 * Lists the settings and facts that the database holds for the functions. An embedded site writes them when it starts;
 * for a hosted project the operator does, with `doctor --write-facts`.
 */
export function listSiteFacts({ siteUrl, mail, replyClock }: Pick<Settings, "siteUrl" | "mail" | "replyClock">) {
  return {
    SITE_URL: siteUrl,
    FIRM_NAME: mail.firmName,
    // Undefined while it is a placeholder; JSON leaves it out.
    FOUNDER_NAME: mail.founderName,
    MAIL_CONTENT: mail.content,
    REPLY_WITHIN_HOURS: String(replyClock.withinHours),
    REPLY_DAYS: replyClock.days,
    CLOSED_DAYS: writeClosedDays(replyClock.closed ?? []) || undefined,
    TIME_ZONE: replyClock.timeZone,
  } satisfies Record<keyof SiteFacts, string | undefined>;
}

/** Lists the settings of mail as the functions read them. */
export function listMailSettings({ mail }: Pick<Settings, "mail">): Record<string, string | undefined> {
  return {
    SMTP_URL: mail.smtpUrl,
    SMTP_USER: mail.smtpUser,
    SMTP_PASSWORD: mail.smtpPassword,
    SMTP_TLS: mail.smtpTls,
    RESEND_API_KEY: mail.resendApiKey,
    MAIL_FROM: mail.from,
    CONTACT_TO: mail.contactTo,
  };
}
