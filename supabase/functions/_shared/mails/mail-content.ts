import { setting } from "../host/runtime.ts";

/** What the firm's mail about a contact message holds: all of it, or its reference and where to read it. */
export type MailContent = "full" | "notice";

/** The setting MAIL_CONTENT. Whatever is not "full" is a notice: a slip must not mail what was to stay in the database. */
export function mailContent(): MailContent {
  return (setting("MAIL_CONTENT")?.trim() ?? "full") === "full" ? "full" : "notice";
}
