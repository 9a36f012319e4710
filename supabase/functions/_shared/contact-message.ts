import { z } from "zod";
import { type ContactField, type ContactFieldName, contactFieldList } from "./contact-fields.ts";
import { emailAddress, honeypotField, line, optionalLine, paragraphs } from "./form-text.ts";

/**
 * What a visitor may send to the firm: the one rule for the page, its action and the edge function.
 * Texts are normalized before they are checked, so the parsed value is what is stored. Fails with one sentence a
 * field, fit to be shown to the visitor. Unknown keys are ignored; a value of another type counts as missing.
 */
export const contactMessageSchema = z.object({
  ...(Object.fromEntries(contactFieldList.map(([name, field]) => [name, textSchema(field)])) as Record<
    ContactFieldName,
    z.ZodType<string>
  >),
  honeypot: honeypotField(),
  privacyConsent: z.literal(true, "Tick the box to agree to the privacy policy"),
});

/** A message that passed {@link contactMessageSchema}. */
export type ContactMessage = z.output<typeof contactMessageSchema>;

function textSchema({ kind, what, label, limit, isOptional }: ContactField): z.ZodType<string> {
  if (kind === "email") return emailAddress(limit);
  if (kind === "paragraphs") return paragraphs(what, label, limit);
  return isOptional ? optionalLine(label, limit) : line(what, label, limit);
}
