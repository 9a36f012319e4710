/**
 * Tidies a text of one line: no line break whatever was typed, so that it can stand in a mail header, and nothing that has
 * no shape. Composed (Unicode's NFC), so that equal words are equal bytes whatever keyboard they come from.
 */
export function normalizeLine(typed: string): string {
  const line = stripControls(stripFormat(compose(typed)).replace(/[\s\u0085]+/g, " ")).trim();
  return isInvisible(line) ? "" : line;
}

/** Tidies a text of several lines; each program's line breaks become `\n`. Else as {@link normalizeLine}. */
export function normalizeText(typed: string): string {
  const text = stripControls(compose(typed).replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")).trimEnd();
  return isInvisible(text) ? "" : text;
}

/**
 * Quotes a text as mail programs do, with `> ` before each line, so that none of it passes for our own words in a mail that its reader
 * trusts. Every program's line breaks count: a mail program may show any of them as one.
 */
export function quoteText(text: string): string {
  const lines = normalizeText(text).split("\n");
  return lines.map((line) => `> ${line}`.trimEnd()).join("\n");
}

/**
 * Takes out the marks that change the direction of a text (Unicode Standard Annex 9). They can make a line show something
 * else than it holds, where no element around it confines them: in mails and in spreadsheets.
 */
export function stripDirectionMarks(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** PostgreSQL takes no half of a surrogate pair. */
function compose(typed: string): string {
  return typed.toWellFormed().normalize("NFC");
}

/** The Braille blank is a sign of its own to Unicode, and the fillers of Hangul are letters. */
function isInvisible(text: string): boolean {
  return /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/**
 * Takes out what has no shape of its own (Unicode's "Cf"): marks and overrides of direction, soft hyphens, zero-width
 * spaces, tags. In a subject or a list they show a reader something else than what is there. The two joiners stay where
 * they are part of spelling: behind a letter or mark of a script other than Latin (Persian, Malayalam), and in emoji.
 */
function stripFormat(typed: string): string {
  return typed
    .replace(/[^\P{Cf}\u200c\u200d]/gu, "")
    .replace(/(?<![\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}])[\u200c\u200d]/gu, "")
    .replace(/(?<=\p{Script=Latin})[\u200c\u200d]/gu, "");
}

/** PostgreSQL stores no NUL, and the other controls only serve to deceive a reader. */
function stripControls(typed: string): string {
  return typed.replace(/[^\P{Cc}\n\t]/gu, "");
}
