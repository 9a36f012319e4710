import { z } from "zod";
import { emailAddress, honeypotField, line, paragraphs } from "./form-text.ts";

/**
 * Names of the types of data rights requests, in the order of the form (REQUIREMENTS 5.2), and of a complaint about how
 * the firm handles personal data (Data Protection Act 2018 of the United Kingdom, section 164A).
 */
export const requestTypes = {
  access: "Access",
  rectification: "Rectification",
  erasure: "Erasure",
  portability: "Portability",
  restrict: "Restriction",
  object: "Objection",
  other: "Other",
  complaint: "Complaint",
} as const;

/** Type that the form and the database accept. */
export type DataRightsRequestType = keyof typeof requestTypes;

/** All types that the form and the database accept. */
export const dataRightsFormTypes = Object.keys(requestTypes) as DataRightsRequestType[];

/** Types that need a confirmation: all but a complaint. */
export const dataRightsRequestTypes = dataRightsFormTypes.filter((type) => type !== "complaint");

/**
 * Most characters of each field, as the database counts them. Same limits as in the contact form (REQUIREMENTS 5.2).
 */
export const dataRightsLimits = { name: 100, email: 255, description: 5000 } as const;

/**
 * Validates a data rights request, for the page, its action and the edge function alike. As `contactMessageSchema`, it
 * normalizes before it checks, and each field fails with one sentence that can be shown.
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
