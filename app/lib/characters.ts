/**
 * Counts the characters of a text as every limit of this product does, and as PostgreSQL's `char_length` does: Unicode
 * code points. `length` counts an emoji as two, and the database would disagree.
 */
export function countCharacters(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g);
  return text.length - (pairs?.length ?? 0);
}

/** The first `most` characters of a text, none of them cut in half. */
export function firstCharacters(text: string, most: number): string {
  // A character has at most two units, so what lies beyond twice as many cannot matter.
  return Array.from(text.slice(0, 2 * most + 1))
    .slice(0, most)
    .join("");
}

/** What somebody reads whose text is too long: by how many characters, e.g. "Shorten your message by 104 characters." */
export function tooLong(what: string, text: string, limit: number): string {
  const excess = countCharacters(text) - limit;
  return `Shorten ${what} by ${excess.toLocaleString("en")} ${excess === 1 ? "character" : "characters"}.`;
}
