import { z } from "zod";
import { emailAddress, honeypotField, line, paragraphs } from "./form-text.ts";

/** What may be asked for, in the order of the form (REQUIREMENTS 5.2). */
export const dataRightsRequestTypes = [
  "access",
  "rectification",
  "erasure",
  "portability",
  "restrict",
  "object",
  "other",
] as const;

/**
 * What the form takes, in its order, and the database knows: those, and a complaint about how the firm handles personal data
 * (Data Protection Act 2018 of the United Kingdom, section 164A), which needs no confirmation.
 */
export const dataRightsFormTypes = [...dataRightsRequestTypes, "complaint"] as const;

/** One of {@link dataRightsFormTypes}. */
export type DataRightsRequestType = (typeof dataRightsFormTypes)[number];

/** Most characters a field may hold; the database counts the same. The same as of the contact form (REQUIREMENTS 5.2). */
export const dataRightsLimits = { name: 100, email: 255, description: 5000 } as const;

/**
 * What a person may send about their data: the one rule for the page, its action and the edge function.
 * As `contactMessageSchema`: normalized first, then checked; one sentence a field, fit to be shown.
 */
export const dataRightsRequestSchema = z.object({
  name: line("your full name", dataRightsLimits.name),
  email: emailAddress(dataRightsLimits.email),
  requestType: z.enum(dataRightsFormTypes, "Select the type of request"),
  description: paragraphs("the details of your request", dataRightsLimits.description),
  honeypot: honeypotField(),
});

/** A request that passed {@link dataRightsRequestSchema}. */
export type DataRightsRequest = z.output<typeof dataRightsRequestSchema>;
