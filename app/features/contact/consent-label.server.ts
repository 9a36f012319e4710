import { createHash } from "node:crypto";
import { contactPage } from "~/content/pages/contact";
import { networkBox } from "~/content/pages/network";

/** Returns the label of the consent box, as a file in `content/consent-texts` archives it under its hash. */
export function describeConsentLabel(): string {
  const { before, link, after } = contactPage.consent;
  return describe({ contactForm: before + link + after });
}

/** Returns the words of the box that asks to join the investor network, archived in the same way. */
export function describeNetworkBox(): string {
  return describe({ investorNetwork: `${networkBox.label}. ${networkBox.hint}` });
}

/** SHA-256 of the label in lower-case hexadecimal (proof of consent, GDPR Article 7(1)). */
export const consentLabelHash = hash(describeConsentLabel());

/** SHA-256 of {@link describeNetworkBox}. */
export const networkBoxHash = hash(describeNetworkBox());

function describe(words: Record<string, string>): string {
  return `${JSON.stringify(words, null, 2)}\n`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
