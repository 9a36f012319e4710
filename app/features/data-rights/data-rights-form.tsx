import { type useForm, getFormProps } from "@conform-to/react";
import { Form } from "@remix-run/react";
import { contactFields } from "#supabase/functions/_shared/contact-fields";
import { dataRightsForm as copy } from "~/content/privacy/data-rights-form";
import type { AskedAddress } from "~/lib/pages/questioned-address";
import { QuestionedAddress } from "~/ui/forms/questioned-address";
import { TextAreaField, TextField } from "~/ui/forms/field";
import { fillControl } from "~/ui/forms/posted-fields";
import { SelectField } from "~/ui/forms/select-field";
import { TrapField } from "~/ui/forms/trap-field";
import type { DataRightsRequest } from "#supabase/functions/_shared/data-rights-request";

/** Props of {@link DataRightsForm}. */
export interface DataRightsFormProps {
  /** the state of the form, which the summary of its mistakes shares */
  state: ReturnType<typeof useForm<DataRightsRequest>>;
  isSending: boolean;
  askedAddress: AskedAddress | null;
}

const { name, email, message } = contactFields;

/** The form for data rights requests (REQUIREMENTS 5). Works without scripts. Its limits are the contact form's. */
export function DataRightsForm({ state: [form, fields], isSending, askedAddress }: DataRightsFormProps) {
  return (
    <Form {...getFormProps(form)} method="post" action="/data-rights" noValidate className="request-form">
      <TextField {...copy.fields.name} {...fillControl(fields.name)} autoComplete="name" required limit={name.limit} />
      <TextField
        {...copy.fields.email}
        {...fillControl(fields.email)}
        type="email"
        autoComplete="email"
        required
        limit={email.limit}
      />
      <QuestionedAddress asked={askedAddress} />
      <SelectField {...copy.fields.requestType} {...fillControl(fields.requestType)} required />
      <TextAreaField
        {...copy.fields.description}
        {...fillControl(fields.description)}
        rows={6}
        required
        limit={message.limit}
      />
      <TrapField label={copy.trap} defaultValue={fields.honeypot.initialValue} />
      <p>{copy.next}</p>
      <p>
        <button className="button w-full sm:w-auto" disabled={isSending}>
          {isSending ? copy.sending : copy.send}
        </button>
      </p>
    </Form>
  );
}
