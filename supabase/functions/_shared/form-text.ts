import { z } from "zod";
import { isEmailAddress } from "./email-address.ts";

/** One more rule of a text, asked only when the text is there and short enough. */
interface Further {
  holds: (tidied: string) => boolean;
  error: string;
}

/**
 * One required line of a form: no line break whatever was typed, so that it can stand in a mail header or a subject.
 * @param what completes "Enter …", which is what somebody reads who left it empty
 * @param label begins the sentence about its length
 * @param limit most characters
 */
export function line(what: string, label: string, limit: number, further?: Further) {
  return requiredText(what, label, limit, normalizeLine, further);
}

/** One required text of several lines; see {@link line}. */
export function paragraphs(what: string, label: string, limit: number) {
  return requiredText(what, label, limit, normalizeText);
}

/** As {@link line}, but it may be left empty: it is then an empty text. */
export function optionalLine(label: string, limit: number) {
  return keepLimit(z.string().overwrite(normalizeLine).max(limit, tooLong(label, limit)), limit).default("");
}

/** A required email address of at most `limit` characters, kept as it was typed. */
export function emailAddress(limit: number) {
  return line("your email address", "Email address", limit, {
    holds: isEmailAddress,
    error: "Enter an email address in the correct format, like name@example.com",
  });
}

/**
 * The honeypot, which only programs fill in. It has no length limit: a program must see success, and the size of the
 * request is limited anyway.
 */
export function honeypotField() {
  return z.string("This field must be empty").default("");
}

function requiredText(what: string, label: string, limit: number, tidy: (typed: string) => string, further?: Further) {
  const required = z
    .string(`Enter ${what}`)
    .overwrite(tidy)
    .min(1, { error: `Enter ${what}`, abort: true })
    .max(limit, { error: tooLong(label, limit), abort: true });
  return keepLimit(further ? required.refine(further.holds, further.error) : required, limit);
}

function tooLong(label: string, limit: number): string {
  return `${label} must be ${limit.toLocaleString("en")} characters or fewer`;
}

/** conform reads `maxlength` for the page from here, where zod before 4.6 used to write it. */
function keepLimit(schema: z.ZodString, limit: number): z.ZodString {
  const { _zod: internals } = schema;
  internals.bag.maximum = limit;
  return schema;
}

function normalizeLine(typed: string): string {
  return stripControls(stripFormat(typed).replace(/[\s\u0085]+/g, " ")).trim();
}

function normalizeText(typed: string): string {
  return stripControls(typed.replace(/\r\n?/g, "\n")).trimEnd();
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

/** PostgreSQL stores neither NUL nor half a surrogate pair, and the other controls only serve to deceive a reader. */
function stripControls(typed: string): string {
  return typed.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, "");
}
