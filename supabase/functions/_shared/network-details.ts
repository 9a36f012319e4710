import { z } from "zod";
import { line, optionalLine } from "./form-text.ts";
import {
  networkCheckSizes,
  networkFields,
  networkKinds,
  networkLimits,
  networkQualifications,
} from "./network-fields.ts";

/**
 * Validates the optional details of a member, for the pages, their actions and the edge function alike. An omitted
 * choice is null.
 */
export const networkDetailsSchema = z.object({
  kind: choice(networkKinds, "Choose a kind of investor from the list"),
  fields: z
    .array(z.string())
    // Checked as a whole, so that the mistake is of the group, not of one box.
    .refine((chosen) => chosen.every(isField), "Choose fields of interest from the list")
    .transform((fields) => networkFields.filter((field) => fields.includes(field)))
    .default([]),
  checkSize: choice(networkCheckSizes, "Choose a check size from the list"),
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

/** Names the details as the database's columns. */
export function toMemberColumns<Details extends NetworkDetails>({ checkSize, ...details }: Details) {
  return { ...details, check_size: checkSize };
}

function isField(value: string): boolean {
  return networkFields.some((field) => field === value);
}

function choice<const Value extends string>(values: readonly Value[], error: string) {
  return z.enum(values, error).nullable().default(null);
}
