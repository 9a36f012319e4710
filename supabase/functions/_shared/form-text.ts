import { z } from "zod";
import { countCharacters, firstCharacters, isOversized, tooLong, tooLongToKeep } from "../../../app/lib/characters.ts";
import { normalizeLine, normalizeText } from "../../../app/lib/plain-text.ts";
import { readCode } from "../../../app/lib/typed-code.ts";
import { addressMistakes, isEmailAddress, readEmailAddress } from "./email-address.ts";

/**
 * One required line of a form; see `normalizeLine`.
 * @param what completes the messages "Enter …", for an empty field, and "Shorten … by 4 characters."
 * @param limit most characters (code points)
 */
export function line(what: string, limit: number) {
  return requiredText(what, limit, normalizeLine);
}

/** One required multi-line text; see {@link line}. */
export function paragraphs(what: string, limit: number) {
  return requiredText(what, limit, normalizeText);
}

/** As {@link line}, but optional: an empty field becomes an empty text. */
export function optionalLine(what: string, limit: number) {
  return boundedText(what, limit, normalizeLine).default("");
}

/** As {@link paragraphs}, but optional: an empty field becomes an empty text. */
export function optionalParagraphs(what: string, limit: number) {
  return boundedText(what, limit, normalizeText).default("");
}

/**
 * A text that is measured twice. Before `normalize`, the door refuses one that no normalization can shorten to its limit
 * (see `isOversized`), and its issue names the number of characters that the form keeps. After it, the limit applies.
 * @param mistake message for a missing field
 */
export function boundedText(what: string, limit: number, normalize: (typed: string) => string, mistake?: string) {
  return z
    .string(mistake)
    .check(
      z.refine<string>((typed) => !isOversized(typed, limit), {
        error: ({ input }) => tooLongToKeep(what, String(input), limit),
        params: { [keptCharacters]: limit },
        abort: true,
      }),
    )
    .overwrite(normalize)
    .check(maxCharacters(what, limit));
}

/** Parameter of an issue of {@link boundedText}: how many characters of the refused text its form keeps. */
export const keptCharacters = "keptCharacters";

/**
 * Zod check for at most `limit` characters; its message says by how many the text is too long. Not zod's `max`, which
 * counts UTF-16 units, and which conform would render as `maxlength`, so browsers would cut pasted text.
 */
export function maxCharacters(what: string, limit: number) {
  return z.refine<string>((text) => countCharacters(text) <= limit, {
    error: ({ input }) => tooLong(what, String(input), limit),
    abort: true,
  });
}

/** A required, deliverable email address of at most `limit` characters; see `readEmailAddress`. */
export function emailAddress(limit: number) {
  return requiredText("your email address", limit, normalizeAddress).refine(isEmailAddress, {
    error: ({ input }) => readEmailAddress(String(input)).fault ?? addressMistakes.format,
  });
}

/** A code that people type or paste; see `readCode`. A longer text than any code is cut, so it counts as a wrong code. */
export function codeField() {
  return z.string().overwrite((typed) => readCode(typed).trim());
}

/** The honeypot field, which only bots are expected to fill in. Cuts a long text, because a bot must see success. */
export function honeypotField() {
  return z
    .string("This field must be empty")
    .overwrite((typed) => firstCharacters(typed, 100))
    .default("");
}

function requiredText(what: string, limit: number, normalize: (typed: string) => string) {
  const mistake = `Enter ${what}`;
  return boundedText(what, limit, normalize, mistake).min(1, { error: mistake, abort: true });
}

function normalizeAddress(typed: string): string {
  return readEmailAddress(typed).address ?? normalizeLine(typed);
}
