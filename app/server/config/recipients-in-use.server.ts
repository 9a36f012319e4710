import type { SitesRecipients } from "~/content/privacy/access-information";
import type { Settings } from "./settings.server";

/** Which recipients of personal data a site has, as far as its settings decide. */
export function findRecipientsInUse({ backend, mail, backupCopies, gaMeasurementId }: Settings): SitesRecipients {
  const isHosted = backend.kind === "hosted";
  return {
    isHosted,
    // A hosted project has mail settings of its own.
    sendsMail: isHosted || mail.smtpUrl !== undefined || mail.resendApiKey !== undefined,
    copiesBackups: backupCopies !== null,
    hasAnalytics: gaMeasurementId !== undefined,
  };
}
