/** Maximum number of characters. Tabs and window lists show no more. */
const maxLength = 60;

/**
 * Makes a visitor's name safe for a page title: one line of limited length, without direction marks and invisible
 * characters.
 * @returns e.g. "Ada Lovelace"; a longer name is cut after a whole grapheme and ends with "…"
 */
export function shortName(typed: string): string {
  const line = typed
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    // Some scripts need the two joiners to spell words.
    .replace(/[^\P{Cf}\u200c\u200d]/gu, "")
    .trim();
  const characters = Array.from(new Intl.Segmenter("en").segment(line), ({ segment }) => segment);
  return characters.length <= maxLength
    ? line
    : `${characters
        .slice(0, maxLength - 1)
        .join("")
        .trimEnd()}…`;
}
