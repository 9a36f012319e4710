import { createHash } from "node:crypto";
import { consentWords } from "~/content/privacy/consent";
import type { ConsentSource } from "~/lib/consent";

/**
 * The words that a visitor saw before deciding, as they are fingerprinted. The dialog is reached through the banner or
 * the cookie policy and repeats what the banner says, so it stands for itself.
 */
const texts: Record<ConsentSource, unknown> = {
  banner: { version: consentWords.version, ...consentWords.banner },
  dialog: { version: consentWords.version, ...consentWords.dialog },
  signal: { version: consentWords.version, ...consentWords.signal },
};

/** SHA-256 in lower-case hexadecimal of the text that was shown (proof of consent, GDPR Article 7(1)). */
export function hashShownText(source: ConsentSource): string {
  return createHash("sha256").update(JSON.stringify(texts[source])).digest("hex");
}
