import { createHash } from "node:crypto";
import { consentWords } from "~/content/privacy/consent";
import type { ConsentSource } from "~/lib/consent";

/**
 * The words that a visitor saw before deciding, as a file of `content/consent-texts` keeps them under their hash. The dialog is
 * reached through the banner or the cookie policy and repeats what the banner says, so it stands for itself.
 * @param analyticsInUse the operator has set a property of Google Analytics
 */
export function describeShownText(source: ConsentSource, analyticsInUse: boolean): string {
  const words = consentWords(analyticsInUse);
  return `${JSON.stringify({ version: words.version, ...words[source] }, null, 2)}\n`;
}

const hashes = { inUse: hashTexts(true), notInUse: hashTexts(false) };

/** SHA-256 in lower-case hexadecimal of the text that was shown (proof of consent, GDPR Article 7(1)). */
export function hashShownText(source: ConsentSource, analyticsInUse: boolean): string {
  return (analyticsInUse ? hashes.inUse : hashes.notInUse)[source];
}

/** By how much of its hash a form tells which text its visitor has read: enough to tell texts apart. */
export function nameShownText(source: ConsentSource, analyticsInUse: boolean): string {
  return hashShownText(source, analyticsInUse).slice(0, 16);
}

function hashTexts(analyticsInUse: boolean): Record<ConsentSource, string> {
  const hash = (source: ConsentSource) =>
    createHash("sha256").update(describeShownText(source, analyticsInUse)).digest("hex");
  return { banner: hash("banner"), dialog: hash("dialog"), signal: hash("signal") };
}
