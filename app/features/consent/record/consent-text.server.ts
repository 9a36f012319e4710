import { createHash } from "node:crypto";
import { consentWords } from "~/content/privacy/consent";
import type { ConsentSource } from "~/lib/consent";

/**
 * Returns the text that a visitor saw before deciding, as a file in `content/consent-texts` archives it under its hash.
 * The dialog is archived without the banner's text, because it repeats that.
 * @param analyticsInUse the operator has set a Google Analytics property
 */
export function describeShownText(source: ConsentSource, analyticsInUse: boolean): string {
  const words = consentWords(analyticsInUse);
  return `${JSON.stringify({ version: words.version, ...words[source] }, null, 2)}\n`;
}

const hashes = { inUse: hashTexts(true), notInUse: hashTexts(false) };

/** Returns the SHA-256 of the shown text in lower-case hexadecimal (proof of consent, GDPR Article 7(1)). */
export function hashShownText(source: ConsentSource, analyticsInUse: boolean): string {
  return (analyticsInUse ? hashes.inUse : hashes.notInUse)[source];
}

/** Returns the part of the hash by which a form identifies the text that its visitor read. */
export function nameShownText(source: ConsentSource, analyticsInUse: boolean): string {
  return hashShownText(source, analyticsInUse).slice(0, 16);
}

function hashTexts(analyticsInUse: boolean): Record<ConsentSource, string> {
  const hash = (source: ConsentSource) =>
    createHash("sha256").update(describeShownText(source, analyticsInUse)).digest("hex");
  return { banner: hash("banner"), dialog: hash("dialog"), signal: hash("signal") };
}
