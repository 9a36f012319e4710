import { countOf } from "./count-of.ts";

/**
 * Counts characters as Unicode code points, as every limit of this product and PostgreSQL's `char_length` do. `length`
 * counts an emoji as two, so the database would disagree.
 */
export function countCharacters(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g);
  return text.length - (pairs?.length ?? 0);
}

/**
 * The door that text from outside passes before anything is done to it. Returns true for more than four times the limit
 * in code units; a CRLF counts as one. Normalizing and matching can take time that grows faster than their input.
 * Limits count code points after composition. An emoji has two units and a decomposed letter at most four (Unicode
 * Standard Annex 15), so the door refuses no text within its limit.
 */
export function isOversized(text: string, limit: number): boolean {
  const most = 4 * limit;
  if (text.length <= most) return false;
  return text.length > 2 * most || text.replaceAll("\r\n", "\n").length > most;
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
  return `Shorten ${what} by ${countOf(excess, "character")}.`;
}

/** Returns the error message for a text that {@link isOversized} refuses, and that its form therefore cuts. */
export function tooLongToKeep(what: string, text: string, limit: number): string {
  return `${tooLong(what, text, limit)} This page may hold only the first ${limit.toLocaleString("en")}.`;
}
