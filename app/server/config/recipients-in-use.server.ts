import type { SiteRecipients } from "~/content/privacy/access-information";
import type { Settings } from "./settings.server";

/** Finds the recipients of personal data that the settings imply. */
export function findRecipientsInUse({ backend, mail, backupCopies, gaMeasurementId }: Settings): SiteRecipients {
  const isHosted = backend.kind === "hosted";
  return {
    isHosted,
    // A hosted project has its own mail settings.
    sendsMail: isHosted || mail.smtpUrl !== undefined || mail.resendApiKey !== undefined,
    copiesBackups: backupCopies !== null,
    hasAnalytics: gaMeasurementId !== undefined,
  };
}
