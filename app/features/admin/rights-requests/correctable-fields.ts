import { type ContactFieldName, contactFieldList } from "#supabase/functions/_shared/contact-fields";

/** What may be corrected in a message. Its address may not: by it the person is known. */
export const correctableFields = contactFieldList
  .map(([name]) => name)
  .filter((name): name is CorrectableField => name !== "email");

/** One of {@link correctableFields}. */
export type CorrectableField = Exclude<ContactFieldName, "email">;
