import { dataRightsRequestTypes } from "#supabase/functions/_shared/data-rights-request";
import type { RefusableForm } from "~/server/http/refused-forms/posted-form.server";
import { dataRightsRequestSchema } from "./data-rights.schema";

/** What the edge must know to show this form with its mistakes; the trap is left to the action. */
export const refusableDataRightsForm: RefusableForm = {
  path: "/data-rights",
  schema: dataRightsRequestSchema,
  typed: ["name", "email", "description"],
  chosen: { requestType: dataRightsRequestTypes },
};
