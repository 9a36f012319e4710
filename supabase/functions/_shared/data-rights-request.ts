import { z } from "zod";
import { emailAddress, honeypotField, line, paragraphs } from "./form-text.ts";

/** What may be asked for, in the order of the form (REQUIREMENTS 5.2); the database knows the same words. */
export const dataRightsRequestTypes = [
  "access",
  "rectification",
  "erasure",
  "portability",
  "restrict",
  "object",
  "other",
] as const;

/** One of {@link dataRightsRequestTypes}. */
export type DataRightsRequestType = (typeof dataRightsRequestTypes)[number];

/** Most characters a field may hold; the database counts the same. The same as of the contact form (REQUIREMENTS 5.2). */
export const dataRightsLimits = { name: 100, email: 255, description: 5000 } as const;

/**
 * What a person may send about their data: the one rule for the page, its action and the edge function.
 * As `contactMessageSchema`: normalized first, then checked; one sentence a field, fit to be shown.
 */
export const dataRightsRequestSchema = z.object({
  name: line("your full name", "Full name", dataRightsLimits.name),
  email: emailAddress(dataRightsLimits.email),
  requestType: z.enum(dataRightsRequestTypes, "Select the type of request"),
  description: paragraphs("the details of your request", "Details", dataRightsLimits.description),
  honeypot: honeypotField(),
});

/** A request that passed {@link dataRightsRequestSchema}. */
export type DataRightsRequest = z.output<typeof dataRightsRequestSchema>;
