import { z } from "zod";
import { type LetterFooter, composeLetter, sampleToken } from "#supabase/functions/_shared/mails/letter-mail";
import { memberLink } from "#supabase/functions/_shared/mails/network-mail";
import { company } from "~/content/company";
import { looksUnfilled } from "~/content/firm/unfilled";
import type { MessageKey } from "~/content/messages";
import { firstCharacters } from "~/lib/characters";
import { type AdminClient, type AdminRefusal, callAdmin } from "../../shared/admin-call.server";
import { changedSinceShown, seenVersion } from "../../shared/seen.server";
import { letterPath, lettersPath } from "./letter-words";
import { type Letter, countRecipients } from "./letters.server";

/** Validates the forms of the page that checks and sends a letter. Without a number, sending asks for it. */
export const sendFormSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("try"), seen: seenVersion }),
  z.object({ intent: z.literal("send"), seen: seenVersion, number: z.string().overwrite(readNumber).optional() }),
]);

/** Cuts what is longer than any number. */
function readNumber(typed: string): string {
  return firstCharacters(typed, 100);
}

/** Result of a post: a message for the next page, or the page again, with the question for the number if it was asked. */
export type SendOutcome =
  { done: MessageKey } | { status: number; failure: string } | { status: number; asked: AskedNumber };

/** Number that was typed to confirm, and the mistake in it. */
export interface AskedNumber {
  typed: string;
  mistake: string | null;
}

const sendingOff = "Sending is off until the firm’s postal address is in its facts, so nothing was sent.";
const wrongNumber = "Type the number of members who would get it now, as shown above";

/** Refusals of the database, by SQLSTATE. */
const refusals = {
  [changedSinceShown]: {
    status: 409,
    text: "This letter was changed while the page was open, so nothing was sent. This is the current version: check it again.",
  },
  "55000": { status: 409, text: "This letter was sent before." },
  "55006": { status: 409, text: "Nothing was sent. Send the text to yourself first, as it stands now." },
  "22003": { status: 409, text: wrongNumber },
};

/** Returns true if the firm's facts have a postal address, which each letter must name (CAN-SPAM Act). */
export function hasPostalAddress(): boolean {
  return company.address !== "" && !looksUnfilled(company.address);
}

/** Returns the footer of a letter that is sent now, which the database keeps with it. The facts may change later. */
export function composeFooter(siteUrl: string): LetterFooter {
  return { firm: company.name, address: company.address, site: new URL(siteUrl).host };
}

/**
 * Composes the mail of a letter as the first of these members gets it, except the secret in its link. The admin's trial
 * is the same mail.
 */
export function composeSample({ subject, body }: Letter, names: readonly string[], siteUrl: string) {
  const name = names[0] ?? "Ada Example";
  const { closing, ...mail } = composeLetter({ subject, body, name, footer: composeFooter(siteUrl) });
  return { subject: mail.subject, body: `${mail.body}\n\n${memberLink("letter", sampleToken, siteUrl)}\n\n${closing}` };
}

/** Mails the letter to the signed-in admin, asks for the number of members, or sends the letter to them. */
export async function postLetter(
  client: AdminClient,
  letter: Letter,
  post: z.output<typeof sendFormSchema>,
  siteUrl: string,
): Promise<SendOutcome> {
  if (!hasPostalAddress()) return { status: 409, failure: sendingOff };
  const seen_version = post.seen === undefined ? null : Number(post.seen);
  const call = { letter_id: letter.id, footer: composeFooter(siteUrl), seen_version };
  if (post.intent === "try") {
    const recipients = await countRecipients(client, letter);
    if (!recipients.ok) return refuse(recipients);
    const mail = composeSample(letter, recipients.data.names, siteUrl);
    const result = await callAdmin(client, "try_letter", { ...call, mail }, z.unknown(), refusals);
    return result.ok ? { done: "letterTried" } : refuse(result);
  }
  const number = post.number?.replaceAll(/[\s,]/g, "") ?? "";
  const expected = /^[1-9]\d{0,8}$/.test(number) ? Number(number) : null;
  const result = await callAdmin(client, "send_letter", { ...call, expected }, z.int(), refusals);
  if (result.ok) return { done: "letterSent" };
  if (result.text !== wrongNumber) return refuse(result);
  if (post.number === undefined) return { status: 200, asked: { typed: "", mistake: null } };
  const status = expected === null ? 400 : 409;
  return { status, asked: { typed: post.number, mistake: wrongNumber } };
}

function refuse({ status, text }: AdminRefusal): SendOutcome {
  return text === refusals["55000"].text ? { done: "letterSentBefore" } : { status, failure: text };
}

/**
 * Buttons of a stored letter, by intent: the database function, the message, and where it is shown. A letter that is
 * stopped still delivers what is under way; one that is sent again goes to those to whom it could not be sent.
 */
export const letterVerbs = {
  delete: { call: "delete_letter", asks: "Delete this draft?", notice: "letterDeleted", next: () => lettersPath },
  stop: { call: "stop_letter", asks: "Stop this letter?", notice: "letterStopped", next: letterPath },
  resend: { call: "resend_letter", asks: null, notice: "letterResent", next: letterPath },
} as const;
