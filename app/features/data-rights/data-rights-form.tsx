import { getFormProps } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { dataRightsForm as copy } from "~/content/privacy/data-rights-form";
import { QuestionedAddress } from "~/ui/forms/questioned-address";
import { TextAreaField, TextField } from "~/ui/forms/field";
import { SelectField } from "~/ui/forms/select-field";
import { TrapField } from "~/ui/forms/trap-field";
import type { DataRightsFormState } from "./use-data-rights-form";

/** Props of {@link DataRightsForm}. */
export interface DataRightsFormProps extends DataRightsFormState {
  isSending: boolean;
  /** maximum number of characters */
  limits: { name: number; email: number; description: number };
  /** the email address that the visitor was asked to check, or null */
  askedAddress: string | null;
}

/** The form for data rights requests (REQUIREMENTS 5). Works without scripts. */
export function DataRightsForm({ form, fields, isSending, limits, askedAddress }: DataRightsFormProps) {
  const { name, email, requestType, description, honeypot } = fields;
  return (
    <Form {...getFormProps(form)} method="post" action="/data-rights" noValidate className="request-form">
      <TextField
        {...copy.fields.name}
        id={name.id}
        name={name.name}
        autoComplete="name"
        defaultValue={name.initialValue}
        required={name.required}
        limit={limits.name}
        error={name.errors?.[0]}
      />
      <TextField
        {...copy.fields.email}
        id={email.id}
        name={email.name}
        type="email"
        autoComplete="email"
        defaultValue={email.initialValue}
        required={email.required}
        limit={limits.email}
        error={email.errors?.[0]}
      />
      <SelectField
        {...copy.fields.requestType}
        id={requestType.id}
        name={requestType.name}
        defaultValue={requestType.initialValue}
        required={requestType.required}
        error={requestType.errors?.[0]}
      />
      <TextAreaField
        {...copy.fields.description}
        id={description.id}
        name={description.name}
        rows={6}
        defaultValue={description.initialValue}
        required={description.required}
        limit={limits.description}
        error={description.errors?.[0]}
      />
      <QuestionedAddress address={askedAddress} />
      <TrapField label={copy.trap} defaultValue={honeypot.initialValue} />
      <p>{copy.next}</p>
      <p>
        <button className="button w-full sm:w-auto" disabled={isSending}>
          {isSending ? copy.sending : copy.send}
        </button>
      </p>
    </Form>
  );
}
