import { type ContactFieldName, contactFieldList } from "#supabase/functions/_shared/contact-fields";

/** Message fields that may be corrected. The email address may not, because it identifies the person. */
export const correctableFields = contactFieldList
  .map(([name]) => name)
  .filter((name): name is CorrectableField => name !== "email");

/** One of {@link correctableFields}. */
export type CorrectableField = Exclude<ContactFieldName, "email">;
