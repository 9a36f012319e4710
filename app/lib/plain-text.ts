/**
 * Normalizes a single line of text. Removes line breaks, so that the text is safe in a mail header, and invisible
 * characters. Composes letters with their marks (Unicode NFC), so that equal words have equal bytes regardless of the keyboard.
 */
export function normalizeLine(typed: string): string {
  const line = stripControls(stripFormat(compose(typed)).replace(/[\s\u0085]+/g, " ")).trim();
  return isInvisible(line) ? "" : line;
}

/**
 * Normalizes multi-line text like {@link normalizeLine}, but keeps formatting characters. All kinds of line breaks
 * become `\n`.
 */
export function normalizeText(typed: string): string {
  const text = stripControls(compose(typed).replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")).trimEnd();
  return isInvisible(text) ? "" : text;
}

/**
 * Quotes a text as mail programs do, with `> ` before each line, so that none of it passes for our own words in an
 * email that its reader trusts. All kinds of line breaks count, because a mail program may show any of them as one.
 */
export function quoteText(text: string): string {
  const lines = normalizeText(text).split("\n");
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

/**
 * Removes direction marks (Unicode Standard Annex 9). Where no element isolates them, as in emails and spreadsheets,
 * they can make a line look different from its content.
 */
export function stripDirectionMarks(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/**
 * Replaces lone surrogates, which PostgreSQL rejects, and composes letters with their marks, and the letters of Korean
 * syllables. Not all of NFC: it would replace single characters by others that look different, such as the variants of
 * Chinese characters in names. Shortens a run of combining marks to 30,
 * as many as any language needs (Unicode Standard Annex 15, "Stream-Safe Text Format"): `normalize` sorts each run in
 * quadratic time.
 */
function compose(typed: string): string {
  return typed
    .toWellFormed()
    .replace(/(\p{M}{30})\p{M}+/gu, "$1")
    .replace(/\P{M}?\p{M}+|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]+/gu, (letters) => letters.normalize("NFC"));
}

/** Covers the Braille blank, which Unicode counts as a symbol, and Hangul fillers, which it counts as letters. */
function isInvisible(text: string): boolean {
  return /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/**
 * Removes format characters (Unicode's "Cf"): direction marks and overrides, soft hyphens, zero-width spaces, tags. In
 * a subject or a list they can misrepresent the content. Keeps the two joiners where they are part of spelling: after a
 * letter or mark of a script other than Latin (Persian, Malayalam), and in emoji.
 */
function stripFormat(typed: string): string {
  return typed
    .replace(/[^\P{Cf}\u200c\u200d]/gu, "")
    .replace(/(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]/gu, "")
    .replace(/(?<=\p{Script=Latin})[\u200c\u200d]/gu, "");
}

/** PostgreSQL cannot store NUL, and the other control characters only serve to deceive readers. */
function stripControls(typed: string): string {
  return typed.replace(/[^\P{Cc}\n\t]/gu, "");
}
