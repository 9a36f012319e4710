import { createHash } from "node:crypto";
import { contactPage } from "~/content/pages/contact";

/** Returns the label of the consent box, as a file in `content/consent-texts` archives it under its hash. */
export function describeConsentLabel(): string {
  const { before, link, after } = contactPage.consent;
  return `${JSON.stringify({ contactForm: before + link + after }, null, 2)}\n`;
}

/** SHA-256 of the label in lower-case hexadecimal (proof of consent, GDPR Article 7(1)). */
export const consentLabelHash = createHash("sha256").update(describeConsentLabel()).digest("hex");
