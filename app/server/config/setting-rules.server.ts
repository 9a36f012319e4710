import { z } from "zod";
import { readEmailAddress } from "#supabase/functions/_shared/email-address";
import { parseAddressList, parseSender } from "#supabase/functions/_shared/mails/address-list";
import { isHookAddress } from "#supabase/functions/_shared/host/call-hook";
import { isMailServerAddress } from "#supabase/functions/_shared/outbox/mail-server-address";

/** Whole number in digits. */
export const wholeNumber = (lowest: number, highest: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${lowest} to ${highest}`)
    .transform(Number)
    .refine((n) => n >= lowest && n <= highest, `must be a whole number from ${lowest} to ${highest}`);

/** URL with one of the protocols. @param example shown to the operator if the value is not a URL */
export const webAddress = (protocols: RegExp, example: string) =>
  z.url({ protocol: protocols, error: `must be an address like ${example}` });

/** URL that the site calls to report on itself. */
export const hookAddress = () =>
  z.string().refine(isHookAddress, "must be an https address without user and password (http only to this machine)");

/** Address of a mail server, with or without user and password. */
export const mailServerAddress = (example: string) =>
  z.string().superRefine((text, context) => {
    if (isMailServerAddress(text)) return;
    const message = /^smtps?:\/\/.*@/is.test(text)
      ? "cannot be parsed: set a user or a password with / # ? @ or % as SMTP_USER and SMTP_PASSWORD, which are used " +
        "literally, and leave both out here"
      : `must be an address like ${example}`;
    context.addIssue({ code: "custom", message });
  });

/** One email address, by the same rule as in forms; the domain in ASCII. */
export const emailAddress = () =>
  z.string().transform((text, context) => {
    const { address } = readEmailAddress(text);
    if (address !== undefined) return address;
    context.addIssue("must be an email address");
    return z.NEVER;
  });

/** One address, with or without a display name. */
export const sender = () =>
  z.string().refine((text) => parseSender(text) !== null, "must be one email address, like Firm <hello@firm.example>");

/** One or more addresses, with or without display names. */
export const addressList = () =>
  z.string().superRefine((text, context) => {
    const entries = parseAddressList(text);
    const wrong = entries.indexOf(null);
    const which = entries.length > 1 ? ` (entry ${wrong + 1} of ${entries.length} is invalid)` : "";
    const message = `must be email addresses separated by commas, like Firm <office@firm.example>, desk@firm.example${which}`;
    if (wrong >= 0 || entries.length === 0) context.addIssue({ code: "custom", message });
  });

/** Tells whether a URL is an origin: without path, query, fragment or password. */
export function isOrigin(address: string): boolean {
  try {
    const url = new URL(address);
    const hasName = /^(?:[a-z0-9._-]+|\[[\da-f:.]+\])$/.test(url.hostname);
    return hasName && url.pathname === "/" && !url.search && !url.hash && !url.username && !url.password;
  } catch {
    return false;
  }
}

const unitsInMs = { h: 60 * 60 * 1000, d: 24 * 60 * 60 * 1000 };

/** Interval like `6h` or `1d`, in milliseconds; `off` is null. */
export const interval = () =>
  z
    .string()
    .regex(/^(?:off|[1-9]\d{0,2}[hd])$/, "must be off, or hours or days like 6h or 1d")
    .transform((text) =>
      text === "off" ? null : Number(text.slice(0, -1)) * unitsInMs[text.endsWith("h") ? "h" : "d"],
    );
