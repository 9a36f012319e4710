import { z } from "zod";
import { emailAddress, honeypotField, line, paragraphs } from "./form-text.ts";

/** Types of data rights requests, in the order of the form (REQUIREMENTS 5.2). */
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
 * Types that the form and the database accept: the above, and a complaint about how the firm handles personal data
 * (Data Protection Act 2018 of the United Kingdom, section 164A), which needs no confirmation.
 */
export const dataRightsFormTypes = [...dataRightsRequestTypes, "complaint"] as const;

/** One of {@link dataRightsFormTypes}. */
export type DataRightsRequestType = (typeof dataRightsFormTypes)[number];

/** Names of the data rights request types. */
export const requestTypes: Readonly<Record<DataRightsRequestType, string>> = {
  access: "Access",
  rectification: "Rectification",
  erasure: "Erasure",
  portability: "Portability",
  restrict: "Restriction",
  object: "Objection",
  other: "Other",
  complaint: "Complaint",
};

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
