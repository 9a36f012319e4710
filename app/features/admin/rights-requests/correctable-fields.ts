import { type ContactFieldName, contactFieldList } from "#supabase/functions/_shared/contact-fields";

/** Message fields that may be corrected. The email address may not, because it identifies the person. */
export const correctableFields = contactFieldList
  .map(([name]) => name)
  .filter((name): name is CorrectableField => name !== "email");

/** Fields of a membership that may be corrected. The member changes the others on their own page. */
export const correctableMemberFields = ["name", "company", "place"] as const;

/** One of {@link correctableFields}. */
export type CorrectableField = Exclude<ContactFieldName, "email">;
