import { z } from "zod";

/** What the banner and the dialog may send. Switches that are off are missing, as HTML has it. */
export const consentSchema = z.object({
  choice: z.enum(["accept", "reject", "close", "save", "erase"]),
  analytics: z.boolean().default(false),
  marketing: z.boolean().default(false),
  source: z.enum(["banner", "dialog"]),
  /** which text was shown (`nameShownText`): a page may have been open for longer than the text was valid */
  text: z.string().max(64).default(""),
  /** where the form stood; see lib/return-page */
  page: z.string().max(2_000).default("/"),
  /** what scripts add, to be answered with data instead of a redirect */
  answer: z.literal("data").optional(),
});

/** A form that passed {@link consentSchema}. */
export type ConsentForm = z.output<typeof consentSchema>;
