/** Characters. Tabs and window lists show no more. */
const longest = 60;

/**
 * Makes a name that a stranger typed safe for a page title: one line of bounded length, without direction marks and invisible characters.
 * @returns e.g. "Ada Lovelace"; a longer name is cut after a whole character, as people see characters, and ends with "…"
 */
export function shortName(typed: string): string {
  const line = typed
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    // Some scripts need the two joiners to spell words.
    .replace(/[^\P{Cf}\u200c\u200d]/gu, "")
    .trim();
  const characters = Array.from(new Intl.Segmenter("en").segment(line), ({ segment }) => segment);
  return characters.length <= longest
    ? line
    : `${characters
        .slice(0, longest - 1)
        .join("")
        .trimEnd()}…`;
}
