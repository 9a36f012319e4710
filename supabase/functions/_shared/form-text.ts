import { z } from "zod";
import { countCharacters, tooLong } from "../../../app/lib/characters.ts";
import { normalizeLine, normalizeText } from "../../../app/lib/plain-text.ts";
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
  return z.string().overwrite(normalizeLine).check(maxCharacters(what, limit)).default("");
}

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

/**
 * The honeypot field, which only bots are expected to fill in. No length limit: a bot must see success, and the size of
 * the request body is limited anyway.
 */
export function honeypotField() {
  return z.string("This field must be empty").default("");
}

function requiredText(what: string, limit: number, normalize: (typed: string) => string) {
  return z
    .string(`Enter ${what}`)
    .overwrite(normalize)
    .min(1, { error: `Enter ${what}`, abort: true })
    .check(maxCharacters(what, limit));
}

function normalizeAddress(typed: string): string {
  return readEmailAddress(typed).address ?? normalizeLine(typed);
}
