/** Shorter words occur in good passwords by chance. */
const minWordLength = 4;

/** A password needs this many other letters beside known words. */
const minOtherLetters = 6;

/**
 * Lists words about a person and a firm that attackers know (OWASP ASVS 5, 6.1.2 and 6.2.11): the person's email
 * address, the site's host and the firm's name, whole and in parts.
 * @param texts e.g. "ada@firm.example", "https://firm.example" and "Firm Advisory"
 * @returns letters and digits in lower case, longest first
 */
export function findPasswordWords(...texts: readonly string[]): string[] {
  const parts = texts.flatMap((text) => [
    text.replace(/^https?:/, ""),
    ...text.split(/[\s@/:]+/),
    ...text.split(/[^\p{L}\p{N}]+/u),
  ]);
  const words = new Set(parts.map(simplify).filter((word) => word.length >= minWordLength));
  return [...words].toSorted((one, other) => other.length - one.length);
}

/** Returns true if a password contains known words and too few other letters, as in "Vital Line 2026!". */
export function isLittleMoreThan(words: readonly string[], password: string): boolean {
  const all = simplify(password);
  let rest = all;
  for (const word of words) rest = rest.replaceAll(word, "");
  return rest !== all && rest.replaceAll(/\p{N}/gu, "").length < minOtherLetters;
}

function simplify(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
