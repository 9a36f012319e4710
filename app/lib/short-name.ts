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
  const characters: string[] = [];
  // Segmenting is slow, so it ends with the first character too many.
  for (const { segment } of new Intl.Segmenter("en").segment(line)) if (characters.push(segment) > maxLength) break;
  return characters.length <= maxLength
    ? line
    : `${characters
        .slice(0, maxLength - 1)
        .join("")
        .trimEnd()}…`;
}
