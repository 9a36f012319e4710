import { z } from "zod";
import { line, optionalLine } from "./form-text.ts";

/** Kinds of investor, in the order of /investors (REQUIREMENTS 1.2). */
export const networkKinds = ["angel", "credentialed", "family-office", "fund", "lender", "corporate"] as const;

/** Fields of interest, in the order of /investors (REQUIREMENTS 2.9). */
export const networkFields = [
  "platforms",
  "ai",
  "care-delivery",
  "behavioral-health",
  "devices",
  "wellness",
  "infrastructure",
] as const;

/** Ranges of a usual check, in US dollars. */
export const networkCheckSizes = ["under-25k", "25k-100k", "100k-500k", "500k-2m", "over-2m"] as const;

/** Ways to qualify as an accredited investor. The site checks none of them. */
export const networkQualifications = ["income", "net-worth", "license", "entity", "no"] as const;

/** Maximum number of characters, as the database counts them. */
export const networkLimits = { name: 100, company: 200, place: 100 } as const;

/**
 * Validates the optional details of a member, for the pages, their actions and the edge function alike. The keys are
 * the database's columns. An omitted choice is null.
 */
export const networkDetailsSchema = z.object({
  kind: choice(networkKinds, "Choose a kind of investor from the list"),
  fields: z
    .array(z.enum(networkFields, "Choose fields of interest from the list"))
    .transform((fields) => networkFields.filter((field) => fields.includes(field)))
    .default([]),
  check_size: choice(networkCheckSizes, "Choose a check size from the list"),
  place: optionalLine("your country or state", networkLimits.place)
    .nullable()
    .transform((place) => place || null),
  qualification: choice(networkQualifications, "Choose how you qualify from the list"),
});

/** Details that passed {@link networkDetailsSchema}. */
export type NetworkDetails = z.output<typeof networkDetailsSchema>;

/** Validates the changes that a member makes on their own page. */
export const networkMemberSchema = networkDetailsSchema.extend({
  name: line("your name", networkLimits.name),
  company: line("your company or fund", networkLimits.company),
});

/** Changes that passed {@link networkMemberSchema}. */
export type NetworkMemberChange = z.output<typeof networkMemberSchema>;

function choice<const Value extends string>(values: readonly Value[], error: string) {
  return z.enum(values, error).nullable().default(null);
}
