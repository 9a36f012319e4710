import { z } from "zod";
import { emailAddress, honeypotField, line, paragraphs } from "./form-text.ts";

/** Most characters a field may hold; the database counts the same (REQUIREMENTS 3.1). */
export const contactLimits = { name: 100, email: 255, company: 200, stage: 100, goal: 200, message: 5000 } as const;

/**
 * What a visitor may send to the firm: the one rule for the page, its action and the edge function.
 * Texts are normalized before they are checked, so the parsed value is what is stored. Fails with one sentence a
 * field, fit to be shown to the visitor. Unknown keys are ignored; a value of another type counts as missing.
 */
export const contactMessageSchema = z.object({
  name: line("your name", "Name", contactLimits.name),
  email: emailAddress(contactLimits.email),
  company: line("your company", "Company", contactLimits.company),
  stage: line("your business stage", "Business stage", contactLimits.stage),
  goal: line("your goal", "Goal", contactLimits.goal),
  message: paragraphs("your message", "Message", contactLimits.message),
  honeypot: honeypotField(),
  privacyConsent: z.literal(true, "Tick the box to agree to the privacy policy"),
});

/** A message that passed {@link contactMessageSchema}. */
export type ContactMessage = z.output<typeof contactMessageSchema>;
