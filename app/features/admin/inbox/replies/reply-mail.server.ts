import { acknowledgementSubject } from "#supabase/functions/_shared/mails/contact-mail";
import { countCharacters, firstCharacters } from "~/lib/characters";
import { formatDayOf } from "~/lib/dates";
import { normalizeText, quoteText } from "~/lib/plain-text";
import type { Submission } from "../submissions.server";

/** What the mail of a reply holds beside the words of whoever replies. */
export interface ReplyMail {
  subject: string;
  /** stands below the words */
  quotation: string;
}

/** Most characters of a message that are quoted. */
const quoteLimit = 5_000;

/**
 * The mail of a reply. Its subject is that of the acknowledgement, and nothing that was typed reaches a header.
 * @param timeZone decides which day the message came on
 */
export function replyMail(
  { message, created_at }: Pick<Submission, "message" | "created_at">,
  timeZone: string,
): ReplyMail {
  const text = normalizeText(message);
  const isCut = countCharacters(text) > quoteLimit;
  return {
    subject: `Re: ${acknowledgementSubject}`,
    quotation: `On ${formatDayOf(created_at, timeZone)}, you wrote through our website:\n${quoteText(isCut ? `${firstCharacters(text, quoteLimit)}\n[…]` : text)}`,
  };
}
