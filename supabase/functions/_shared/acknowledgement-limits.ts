import { setting } from "./host/runtime.ts";

/** The limit that an acknowledgement exceeded (migration "mail"). */
export type WithheldBy = "mailbox" | "client" | "site";

/**
 * Reads the setting ACKNOWLEDGEMENTS_PER_HOUR: the most acknowledgements that the site sends in an hour; 0 means no
 * limit.
 * @returns null when it is unset or not a whole number; then the database's own limit applies
 */
export function readAcknowledgementsPerHour(): number | null {
  const value = setting("ACKNOWLEDGEMENTS_PER_HOUR")?.trim() ?? "";
  return /^\d{1,7}$/.test(value) ? Number(value) : null;
}

/**
 * Writes the note appended to the firm's mail when its sender got no mail, for each limit.
 * @param consequence the mail that was not sent, as the beginning of a sentence
 * @param advice what the firm can do, in complete sentences
 */
export function withheldNotes(consequence: string, advice: string): Record<WithheldBy, string> {
  const note = (reason: string) => `\nPlease note: ${consequence}, because ${reason}. ${advice}\n`;
  return {
    mailbox: note("the site has reached its daily limit for this mailbox"),
    client: note("the site has reached its daily limit for one internet connection"),
    site: note("the site has reached its hourly limit (ACKNOWLEDGEMENTS_PER_HOUR)"),
  };
}
