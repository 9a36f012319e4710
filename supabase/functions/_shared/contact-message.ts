import { z } from "zod";
import { type ContactField, type ContactFieldName, contactFieldList } from "./contact-fields.ts";
import { emailAddress, honeypotField, line, optionalLine, paragraphs } from "./form-text.ts";
import { networkDetailsSchema } from "./network-details.ts";

/**
 * Validates a contact message, for the page, its action and the edge function alike. Normalizes texts before it checks
 * them, so the parsed value is what is stored. Each field fails with one sentence that can be shown to the visitor.
 * Ignores unknown keys; a value of another type counts as missing.
 */
export const contactMessageSchema = z.object({
  ...(Object.fromEntries(contactFieldList.map(([name, field]) => [name, contactFieldSchema(field)])) as Record<
    ContactFieldName,
    z.ZodType<string>
  >),
  honeypot: honeypotField(),
  privacyConsent: z.literal(true, "Check the box to agree to the privacy policy"),
});

/** Validates a message whose sender also asks to join the investor network. */
export const joiningMessageSchema = contactMessageSchema.extend(networkDetailsSchema.shape);

/**
 * Validates the proof of consent that the site adds to a message (GDPR, article 7(1)): the version of the privacy
 * policy, and the SHA-256 of the words next to the checkbox, which names a file of app/content/consent-texts.
 */
export const consentProofSchema = z.object({
  consentPolicyVersion: z.string().regex(/^\d{1,4}\.\d{1,4}$/),
  consentTextHash: z.string().regex(/^[0-9a-f]{64}$/),
});

/** A proof that passed {@link consentProofSchema}. */
export type ConsentProof = z.output<typeof consentProofSchema>;

/** A message that passed {@link contactMessageSchema}. */
export type ContactMessage = z.output<typeof contactMessageSchema>;

/** A message that passed {@link joiningMessageSchema}. */
export type JoiningMessage = z.output<typeof joiningMessageSchema>;

/** Returns the schema of one text of a message. */
export function contactFieldSchema({ kind, what, limit, isOptional }: ContactField): z.ZodType<string> {
  if (kind === "email") return emailAddress(limit);
  if (kind === "paragraphs") return paragraphs(what, limit);
  return isOptional ? optionalLine(what, limit) : line(what, limit);
}
