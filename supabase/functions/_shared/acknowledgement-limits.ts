import { setting } from "./host/runtime.ts";

/** Which limit an acknowledgement was above (migration "rate_limits"). */
export type WithheldBy = "mailbox" | "client" | "site";

/**
 * The setting ACKNOWLEDGEMENTS_PER_HOUR: how many acknowledgements the site sends in an hour, 0 for any number.
 * @returns null when it is not set or is no whole number: then the database's own limit holds
 */
export function acknowledgementsPerHour(): number | null {
  const value = setting("ACKNOWLEDGEMENTS_PER_HOUR")?.trim() ?? "";
  return /^\d{1,7}$/.test(value) ? Number(value) : null;
}

/**
 * What the firm reads below a mail when its sender was sent nothing, by the limit that was reached.
 * @param consequence what was not sent, as the beginning of a sentence
 * @param advice what the firm can do, in whole sentences
 */
export function withheldNotes(consequence: string, advice: string): Record<WithheldBy, string> {
  const note = (reason: string) => `\nPlease note: ${consequence}, because ${reason}. ${advice}\n`;
  return {
    mailbox: note("this mailbox has been sent as many today as the site sends to one"),
    client: note("as many have gone out today as the site sends on behalf of one internet connection"),
    site: note("the site has sent as many as it may in an hour (ACKNOWLEDGEMENTS_PER_HOUR)"),
  };
}
