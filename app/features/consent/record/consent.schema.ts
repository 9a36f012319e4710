import { z } from "zod";

/** Fields of the banner and the dialog. HTML leaves out switches that are off. */
export const consentSchema = z.object({
  choice: z.enum(["accept", "reject", "close", "save", "erase"]),
  analytics: z.boolean().default(false),
  marketing: z.boolean().default(false),
  source: z.enum(["banner", "dialog"]),
  /** the text that was shown (`nameShownText`); it may have changed while the page was open */
  text: z.string().max(64).default(""),
  /** the page that the form was on; see lib/http/return-page */
  page: z.string().max(2_000).default("/"),
  /** added by scripts to get data instead of a redirect */
  answer: z.literal("data").optional(),
});

/** A form validated by {@link consentSchema}. */
export type ConsentForm = z.output<typeof consentSchema>;
