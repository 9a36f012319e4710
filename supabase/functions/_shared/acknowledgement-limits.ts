import { logEvent, setting } from "./host/runtime.ts";

/** The limit because of which a mail was not sent, or `waits` for one that goes later (migration "mail"). */
export type WithheldBy = "mailbox" | "client" | "site" | "waits";

/**
 * Reads the setting ACKNOWLEDGEMENTS_PER_HOUR: the most mails of a kind that visitors cause in an hour; 0 means no limit.
 * @returns null when it is unset or not a whole number; then the database's own limit applies
 */
export function readAcknowledgementsPerHour(): number | null {
  const value = setting("ACKNOWLEDGEMENTS_PER_HOUR")?.trim() ?? "";
  return /^\d{1,7}$/.test(value) ? Number(value) : null;
}

/** Why a mail is not sent or waits, in the firm's mails. */
export const withheldReasons: Record<WithheldBy, string> = {
  mailbox: "the site has reached its daily limit for this mailbox",
  client: "the site has reached its daily limit for one internet connection",
  site: "the site has reached its hourly limit (ACKNOWLEDGEMENTS_PER_HOUR)",
  waits: "the site has reached its hourly limit (ACKNOWLEDGEMENTS_PER_HOUR)",
};

/**
 * Writes the note appended to the firm's mail when its sender got no mail, for each limit.
 * @param mail that was not sent, with its article
 * @param recipient of that mail
 * @param advice what the firm can do, in complete sentences
 * @param page where an admin can send a waiting mail at once; omitted for mails that never wait
 */
export function withheldNotes(
  { mail, recipient }: { mail: string; recipient: string },
  advice: string,
  page?: string,
): Partial<Record<WithheldBy, string>> {
  const note = (by: WithheldBy) =>
    `\nPlease note: no ${mail} was sent to ${recipient}, because ${withheldReasons[by]}. ${advice}\n`;
  const waits = `\nPlease note: the ${mail} to ${recipient} waits, because ${withheldReasons.waits}. It goes out by itself. To send it at once, open ${page} and choose “Send it now”.\n`;
  return { mailbox: note("mailbox"), client: note("client"), site: note("site"), ...(page ? { waits } : {}) };
}

/** A mail that a limit withholds or delays, and why. */
export interface WithheldMail {
  kind: string;
  reason: string;
}

/** Logs the mails that a limit withholds or delays. */
export function logWithheld(mails: readonly WithheldMail[]): void {
  for (const mail of mails) logEvent({ event: "mail-withheld", ...mail });
}
