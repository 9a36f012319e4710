import { setting } from "../host/runtime.ts";

/** Content of the firm's mail about a contact message: the full text, or its reference and where to read it. */
export type MailContent = "full" | "notice";

/** The content unless MAIL_CONTENT is set. */
export const usualMailContent: MailContent = "full";

/**
 * Reads the setting MAIL_CONTENT. Any value but "full" means a notice: a typo must not mail text that was to stay in
 * the database.
 */
export function readMailContent(): MailContent {
  return (setting("MAIL_CONTENT")?.trim() ?? usualMailContent) === "full" ? "full" : "notice";
}
