import { type FieldMetadata, type FormMetadata, type SubmissionResult, useForm } from "@conform-to/react";
import type { FormMistake } from "~/ui/forms/error-summary";
import type { DataRightsRequest } from "#supabase/functions/_shared/data-rights-request";

/** Initial data of the form. Its rules come from the server, so that no validation library reaches the browser. */
export interface DataRightsFormStart {
  /** HTML constraints by field, from the schema */
  constraint: Record<string, { required?: boolean }>;
  /** result of the last post: mistakes and all input */
  lastResult: SubmissionResult | undefined;
}

/** The form's state, shared by the form and the error summary at the top of the page. */
export interface DataRightsFormState {
  form: FormMetadata<DataRightsRequest>;
  fields: { [name in keyof DataRightsRequest]-?: FieldMetadata<DataRightsRequest[name], DataRightsRequest> };
  mistakes: FormMistake[];
}

const order = ["name", "email", "requestType", "description"] as const;

/** Creates the form's state. A new `key` on the calling component empties the form. */
export function useDataRightsForm({ constraint, lastResult }: DataRightsFormStart): DataRightsFormState {
  const [form, fields] = useForm<DataRightsRequest>({ id: "data-rights", lastResult, constraint });
  const mistakes = order.flatMap((name) => {
    const text = fields[name].errors?.[0];
    return text ? [{ controlId: fields[name].id, text }] : [];
  });
  // An error of the whole form links to its last field, just above the button.
  if (form.errors?.[0]) mistakes.unshift({ controlId: fields.description.id, text: form.errors[0] });
  return { form, fields, mistakes };
}
