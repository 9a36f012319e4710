import { recipients } from "~/content/processing/terms";
import { findRecipientsInUse } from "~/server/config/recipients-in-use.server";
import type { Settings } from "~/server/config/settings.server";
import { firmMustAnswer } from "./firm-must-answer.server";
import { isInUse } from "./record-of-processing.server";

/** Who receives personal data from a site with these settings (GDPR Article 30(1)(d)). */
export function listRecipients(settings: Settings) {
  const site = findRecipientsInUse(settings);
  return Object.entries(recipients)
    .filter(([, { on }]) => isInUse(on, site))
    .map(([key, { name, task, role }]) => ({
      name,
      task,
      role,
      fromTheSettings: describeSetting(key as keyof typeof recipients, settings),
      legalNameAndCountry: role === "processor" ? firmMustAnswer : "",
      contract: role === "processor" ? `${firmMustAnswer} (Article 28 GDPR: when signed, and where it is)` : "",
    }));
}

function describeSetting(
  key: keyof typeof recipients,
  { backend, mail, backupCopies, gaMeasurementId, siteUrl }: Settings,
): string {
  if (key === "host") return siteUrl;
  if (key === "supabase") return backend.kind === "hosted" ? new URL(backend.url).hostname : "";
  if (key === "storage") return backupCopies ? new URL(backupCopies.endpoint).hostname : "";
  if (key === "google") return gaMeasurementId ?? "";
  if (key !== "mail") return "";
  if (mail.smtpUrl) return new URL(mail.smtpUrl).hostname;
  return mail.resendApiKey ? "Resend" : "set in the project’s functions";
}
