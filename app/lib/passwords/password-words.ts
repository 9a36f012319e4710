/** Shorter words occur by chance in good passwords. */
const minWordLength = 4;

/** A password needs this many letters beside such words. */
const minOtherLetters = 6;

/**
 * Lists words that attackers know of a person and a firm (OWASP ASVS 5, 6.1.2 and 6.2.11): the person's address, the site's host and the
 * firm's name, whole and in parts.
 * @param texts such as "ada@firm.example", "https://firm.example" and "Firm Advisory"
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

/** Tells whether a password has such a word and too few letters beside them, as in "Vital Line 2026!". */
export function isLittleMoreThan(words: readonly string[], password: string): boolean {
  const all = simplify(password);
  let rest = all;
  for (const word of words) rest = rest.replaceAll(word, "");
  return rest !== all && rest.replaceAll(/\p{N}/gu, "").length < minOtherLetters;
}

function simplify(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
