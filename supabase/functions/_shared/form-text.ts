import { z } from "zod";
import { countCharacters, tooLong } from "../../../app/lib/characters.ts";
import { normalizeLine, normalizeText } from "../../../app/lib/plain-text.ts";
import { addressMistakes, isEmailAddress, readEmailAddress } from "./email-address.ts";

/**
 * One required line of a form; see `normalizeLine`.
 * @param what completes "Enter …", which is what somebody reads who left it empty, and "Shorten … by 4 characters."
 * @param limit most characters (code points)
 */
export function line(what: string, limit: number) {
  return requiredText(what, limit, normalizeLine);
}

/** One required text of several lines; see {@link line}. */
export function paragraphs(what: string, limit: number) {
  return requiredText(what, limit, normalizeText);
}

/** As {@link line}, but it may be left empty: it is then an empty text. */
export function optionalLine(what: string, limit: number) {
  return z.string().overwrite(normalizeLine).check(maxCharacters(what, limit)).default("");
}

/**
 * The rule of zod that a text has at most `limit` characters; its message says by how many it is too long. Not zod's own
 * `max`: that counts UTF-16 units, and conform would write it into the page as `maxlength`, which cuts what people paste.
 */
export function maxCharacters(what: string, limit: number) {
  return z.refine<string>((text) => countCharacters(text) <= limit, {
    error: ({ input }) => tooLong(what, String(input), limit),
    abort: true,
  });
}

/** A required email address of at most `limit` characters, as mail can be sent to it; see `readEmailAddress`. */
export function emailAddress(limit: number) {
  return requiredText("your email address", limit, asAddress).refine(isEmailAddress, {
    error: ({ input }) => readEmailAddress(String(input)).fault ?? addressMistakes.format,
  });
}

/**
 * The honeypot, which only programs fill in. It has no length limit: a program must see success, and the size of the
 * request is limited anyway.
 */
export function honeypotField() {
  return z.string("This field must be empty").default("");
}

function requiredText(what: string, limit: number, tidy: (typed: string) => string) {
  return z
    .string(`Enter ${what}`)
    .overwrite(tidy)
    .min(1, { error: `Enter ${what}`, abort: true })
    .check(maxCharacters(what, limit));
}

function asAddress(typed: string): string {
  return readEmailAddress(typed).address ?? normalizeLine(typed);
}
