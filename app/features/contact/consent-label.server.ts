import { createHash } from "node:crypto";
import { contactPage } from "~/content/pages/contact";

/** The words beside the box, as a file of `content/consent-texts` keeps them under their hash. */
export function describeConsentLabel(): string {
  const { before, link, after } = contactPage.consent;
  return `${JSON.stringify({ contactForm: before + link + after }, null, 2)}\n`;
}

/** SHA-256 in lower-case hexadecimal of the words beside the box (proof of consent, GDPR Article 7(1)). */
export const consentLabelHash = createHash("sha256").update(describeConsentLabel()).digest("hex");
