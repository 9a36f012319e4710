import { acknowledgementSubject } from "#supabase/functions/_shared/mails/contact-mail";
import { company } from "~/content/company";
import { countCharacters, firstCharacters } from "~/lib/characters";
import { formatDayOf } from "~/lib/dates";
import { normalizeText, quoteText } from "~/lib/plain-text";
import type { Submission } from "../submissions.server";

/** Parts of a reply's mail, other than the admin's own text. */
export interface ReplyMail {
  subject: string;
  /** placed below the text */
  quotation: string;
}

/** Most characters of a message that are quoted. */
const quoteLimit = 5_000;

/**
 * Writes the mail of a reply. The subject is the acknowledgement's: no typed text reaches a header.
 * @param timeZone for the day on which the message arrived
 */
export function replyMail(
  { message, created_at }: Pick<Submission, "message" | "created_at">,
  timeZone: string,
): ReplyMail {
  const text = normalizeText(message);
  const isCut = countCharacters(text) > quoteLimit;
  return {
    subject: `Re: ${acknowledgementSubject(company.name)}`,
    quotation: `On ${formatDayOf(created_at, timeZone)}, you wrote through our website:\n${quoteText(isCut ? `${firstCharacters(text, quoteLimit)}\n[…]` : text)}`,
  };
}
