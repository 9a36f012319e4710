import type { RefusableForm } from "~/server/http/refused-forms/posted-form.server";
import { contactMessageSchema } from "./contact.schema";

/** What the edge must know to show this form with its mistakes; the trap is left to the action. */
export const refusableContactForm: RefusableForm = {
  path: "/contact",
  schema: contactMessageSchema,
  typed: ["name", "email", "company", "stage", "goal", "message"],
  chosen: { privacyConsent: ["on"] },
};
