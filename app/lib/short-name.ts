/** In a title. More than this nobody sees of it in a tab or a list of windows. */
const longest = 60;

/**
 * A name that a stranger typed, fit for the title of a document: one line of bounded length, without the marks that turn the direction of
 * the text around them or show nothing.
 * @returns e.g. "Ada Lovelace"; a longer one ends with "…" behind a whole character, as people see characters
 */
export function shortName(typed: string): string {
  const line = typed
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    // The two joiners belong to the spelling of some scripts.
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
