/**
 * Counts characters as Unicode code points, as every limit of this product and PostgreSQL's `char_length` do. `length`
 * counts an emoji as two, so the database would disagree.
 */
export function countCharacters(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g);
  return text.length - (pairs?.length ?? 0);
}

/** Returns the first `most` characters of a text without splitting a surrogate pair. */
export function firstCharacters(text: string, most: number): string {
  // A character has at most two code units, so anything beyond twice that many cannot matter.
  return Array.from(text.slice(0, 2 * most + 1))
    .slice(0, most)
    .join("");
}

/** Returns the error message for a text that is too long, e.g. "Shorten your message by 104 characters." */
export function tooLong(what: string, text: string, limit: number): string {
  const excess = countCharacters(text) - limit;
  return `Shorten ${what} by ${excess.toLocaleString("en")} ${excess === 1 ? "character" : "characters"}.`;
}
