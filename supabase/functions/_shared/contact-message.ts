import { z } from "zod";

/** Most characters a field may hold; the database counts the same (spec, sections 5 and 9). */
export const contactLimits = { name: 100, email: 255, company: 200, stage: 100, goal: 200, message: 5000 } as const;

/**
 * What a visitor may send to the firm: the one rule for the page, its action and the edge function.
 * Texts are normalised before they are checked, so the parsed value is what is stored. Fails with one sentence a
 * field, fit to be shown to the visitor. Unknown keys are ignored; a value of another type counts as missing.
 * `honeypot` has no limit of its own: whoever fills it must see success, and the request's size is capped anyway.
 */
export const contactMessageSchema = z.object({
  name: line("your name", "Name", contactLimits.name),
  email: line("your email address", "Email address", contactLimits.email, {
    holds: isEmailAddress,
    error: "Enter an email address in the correct format, like name@example.com",
  }),
  company: line("your company", "Company", contactLimits.company),
  stage: line("your business stage", "Business stage", contactLimits.stage),
  goal: line("your goal", "Goal", contactLimits.goal),
  message: text("your message", "Message", contactLimits.message, tidyText),
  honeypot: z.string("This field must be empty").default(""),
  privacyConsent: z.literal(true, "Tick the box to agree to the privacy policy"),
});

/** A message that passed {@link contactMessageSchema}. */
export type ContactMessage = z.output<typeof contactMessageSchema>;

interface Further {
  holds: (tidied: string) => boolean;
  error: string;
}

function line(what: string, label: string, limit: number, further?: Further) {
  return text(what, label, limit, tidyLine, further);
}

/**
 * One required text, checked after it was tidied.
 * @param further one more rule, asked only when the text is there and short enough
 */
function text(what: string, label: string, limit: number, tidy: (typed: string) => string, further?: Further) {
  const required = z
    .string(`Enter ${what}`)
    .overwrite(tidy)
    .min(1, { error: `Enter ${what}`, abort: true })
    .max(limit, { error: `${label} must be ${limit.toLocaleString("en")} characters or fewer`, abort: true });
  const schema = further ? required.refine(further.holds, further.error) : required;
  // conform reads `maxlength` for the page from here, where zod before 4.6 used to write it.
  const { _zod: internals } = schema;
  internals.bag.maximum = limit;
  return schema;
}

/** A line holds no line break whatever was typed, so that it can stand in a mail header or a subject. */
function tidyLine(typed: string): string {
  return stripControls(typed.replace(/[\s\u0085]+/g, " ")).trim();
}

function tidyText(typed: string): string {
  return stripControls(typed.replace(/\r\n?/g, "\n")).trimEnd();
}

/** PostgreSQL stores neither NUL nor half a surrogate pair, and the other controls only serve to deceive a reader. */
function stripControls(typed: string): string {
  return typed.toWellFormed().replace(/[^\P{Cc}\n\t]/gu, "");
}

/** The rule of `<input type="email">` (HTML standard, "valid email address"), so that page and server agree. */
function isEmailAddress(typed: string): boolean {
  return z.regexes.html5Email.test(typed);
}
