import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type LetterFooter, composeLetter, sampleToken } from "#supabase/functions/_shared/mails/letter-mail";
import { memberLink } from "#supabase/functions/_shared/mails/network-mail";
import { company } from "~/content/company";
import { looksUnfilled } from "~/content/firm/unfilled";
import type { MessageKey } from "~/content/messages";
import { firstCharacters } from "~/lib/characters";
import { type AdminClient, type AdminResult, callAdmin } from "../../shared/admin-call.server";
import { changedSinceShown, seenVersion } from "../../shared/seen.server";
import { type Letter, countRecipients, findLetter } from "./letters.server";

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
  | { done: MessageKey }
  | { status: number; failure: string | null; asked: { typed: string; mistake: string | null } | null };

const changed =
  "This letter was changed while the page was open, so nothing was sent. This is the current version: check it again.";
const notTried = "Nothing was sent. Send the text to yourself first, as it stands now.";
const sendingOff = "Sending is off until the firm’s postal address is in its facts, so nothing was sent.";
const wrongNumber = "Type the number of members who would get it now, as shown above";

/** Returns true if the firm's facts have a postal address, which each letter must name (CAN-SPAM Act). */
export function hasPostalAddress(): boolean {
  return company.address !== "" && !looksUnfilled(company.address);
}

/** Returns the footer of a letter that is sent now, which the database keeps with it. */
function composeFooter(siteUrl: string): LetterFooter {
  return { firm: company.name, address: company.address, site: new URL(siteUrl).host };
}

/** Returns true if the admin mailed themself the letter as it would be sent now: the facts may have changed since. */
export function isTried({ is_tried, footer }: Letter, siteUrl: string): boolean {
  return is_tried && isDeepStrictEqual(footer, composeFooter(siteUrl));
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
  if (letter.state !== "draft") return { done: "letterSentBefore" };
  if (!hasPostalAddress()) return refuse(409, sendingOff);
  if (post.seen !== String(letter.version)) return refuse(409, changed);
  if (post.intent === "try") return tryLetter(client, letter, siteUrl);
  if (!isTried(letter, siteUrl)) return refuse(409, notTried);
  if (post.number === undefined) return { status: 200, failure: null, asked: { typed: "", mistake: null } };
  return sendLetter(client, letter, post.number, siteUrl);
}

async function tryLetter(client: AdminClient, letter: Letter, siteUrl: string): Promise<SendOutcome> {
  const recipients = await countRecipients(client, letter);
  if (!recipients.ok) return refuse(recipients.status, recipients.text);
  const mail = composeSample(letter, recipients.data.names, siteUrl);
  const parameters = { letter_id: letter.id, mail, footer: composeFooter(siteUrl), seen_version: letter.version };
  const result = await callAdmin(client, "try_letter", parameters, z.unknown(), {
    [changedSinceShown]: { status: 409, text: changed },
  });
  return result.ok ? { done: "letterTried" } : refuse(result.status, result.text);
}

async function sendLetter(client: AdminClient, letter: Letter, typed: string, siteUrl: string): Promise<SendOutcome> {
  const number = typed.replaceAll(/[\s,]/g, "");
  const askAgain: SendOutcome = { status: 400, failure: null, asked: { typed, mistake: wrongNumber } };
  if (!/^[1-9]\d{0,8}$/.test(number)) return askAgain;
  const parameters = {
    letter_id: letter.id,
    expected: Number(number),
    footer: composeFooter(siteUrl),
    seen_version: letter.version,
  };
  const result = await callAdmin(client, "send_letter", parameters, z.int(), {
    [changedSinceShown]: { status: 409, text: changed },
    "55000": { status: 409, text: notTried },
  });
  if (result.ok) return { done: "letterSent" };
  const found = await findLetter(client, letter.id);
  if (found.ok && found.data && found.data.state !== "draft") return { done: "letterSentBefore" };
  // If the letter is the same, its number of members is not the typed one.
  const isNumber = result.text === changed && found.ok && found.data?.version === letter.version;
  return isNumber ? { ...askAgain, status: 409 } : refuse(result.status, result.text);
}

/** Stops a letter and returns how many members got it. Mails under way still arrive. */
export function stopLetter(client: AdminClient, id: string): Promise<AdminResult<number>> {
  return callAdmin(client, "stop_letter", { letter_id: id }, z.int());
}

/** Sends a letter again to the members to whom it could not be sent, and returns their number. */
export function resendLetter(client: AdminClient, id: string): Promise<AdminResult<number>> {
  return callAdmin(client, "resend_letter", { letter_id: id }, z.int());
}

/** Deletes a draft. */
export function deleteLetter(client: AdminClient, id: string): Promise<AdminResult<unknown>> {
  return callAdmin(client, "delete_letter", { letter_id: id }, z.unknown());
}

function refuse(status: number, failure: string): SendOutcome {
  return { status, failure, asked: null };
}
