import { type FieldMetadata, type FormMetadata, type SubmissionResult, useForm } from "@conform-to/react";
import type { FormMistake } from "~/ui/forms/error-summary";
import type { DataRightsRequest } from "#supabase/functions/_shared/data-rights-request";

/** What the form starts from; its rules come from the server, so that no validation library reaches the browser. */
export interface DataRightsFormStart {
  /** HTML constraints by field, from the schema */
  constraint: Record<string, { required?: boolean }>;
  /** what the last post came back with: mistakes and everything that was typed */
  lastResult: SubmissionResult | undefined;
}

/** The form's state, shared by the form itself and by the summary at the head of the page. */
export interface DataRightsFormState {
  form: FormMetadata<DataRightsRequest>;
  fields: { [name in keyof DataRightsRequest]-?: FieldMetadata<DataRightsRequest[name], DataRightsRequest> };
  mistakes: FormMistake[];
}

const order = ["name", "email", "requestType", "description"] as const;

/** Prepares the form. Give the component that calls it a new key to empty it. */
export function useDataRightsForm({ constraint, lastResult }: DataRightsFormStart): DataRightsFormState {
  const [form, fields] = useForm<DataRightsRequest>({ id: "data-rights", lastResult, constraint });
  const mistakes = order.flatMap((name) => {
    const text = fields[name].errors?.[0];
    return text ? [{ controlId: fields[name].id, text }] : [];
  });
  // A mistake of the whole form leads to its last field, just above the button.
  if (form.errors?.[0]) mistakes.unshift({ controlId: fields.description.id, text: form.errors[0] });
  return { form, fields, mistakes };
}
