import { instantFormat } from "../../../../app/lib/dates.ts";
import type { QueuedMail } from "../outbox/outbox.ts";
import { type Installation, type Trouble, troubles } from "../trouble.ts";

/** A mail about trouble that is due (list_due_trouble_mails). */
export interface TroubleNotice extends Trouble {
  /** `happened`: an event, which is over at once */
  notice: "lasts" | "ended" | "happened";
  /** ISO 8601; null while it lasts */
  ended_at: string | null;
}

/** Writes the mail to the firm about one cause of trouble. It names no person. */
export function troubleMail(
  { cause, notice, since, ended_at: endedAt }: TroubleNotice,
  { siteUrl, timeZone, ...installation }: Installation & { siteUrl: string; timeZone: string },
): Pick<QueuedMail, "subject" | "body"> {
  const { title, text, remedy } = troubles[cause];
  const format = instantFormat(timeZone);
  const subject = `${new URL(siteUrl).host}: ${notice === "ended" ? `over: ${title}` : title}`;
  const admin = `Admin area: ${new URL("/admin", siteUrl).href}`;
  if (notice === "ended" && endedAt !== null)
    return {
      subject,
      body: `This trouble is over: ${text}\n\nFrom: ${format(since)}\nUntil: ${format(endedAt)}\n\n${admin}\n`,
    };
  const time = notice === "happened" ? "At" : "Since";
  const frequency = notice === "lasts" ? "\nYou get this once a day while it lasts, and once when it is over.\n" : "";
  return {
    subject,
    body: `${text}\n\n${time}: ${format(since)}\nTo do: ${remedy(installation)}\n\n${admin}\n${frequency}`,
  };
}
