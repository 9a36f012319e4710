import type { SubmissionResult } from "@conform-to/react";
import { dataRightsTypeWords } from "~/content/privacy/data-rights-types";
import type { AskedAddress } from "~/lib/pages/questioned-address";
import { QuestionedAddress } from "~/ui/forms/questioned-address";
import { TextAreaField, TextField } from "~/ui/forms/field";
import { SelectField } from "~/ui/forms/select-field";

/** Content of the form for requests that did not come through the website. */
export interface EnterRequestFormProps {
  /** ISO date, the default of a new form */
  today: string;
  /** result of the last post: mistakes and all typed values */
  lastResult: SubmissionResult | null;
  asked: AskedAddress | null;
}

const channels = [
  { value: "letter", label: "Letter" },
  { value: "phone", label: "Phone" },
  { value: "email", label: "Email" },
];
const typeOptions = Object.entries(dataRightsTypeWords).map(([value, label]) => ({ value, label }));

/** Works without scripts and keeps typed values after a mistake. */
export function EnterRequestForm({ today, lastResult, asked }: EnterRequestFormProps) {
  const control = (name: string) => {
    const typed = lastResult?.initialValue?.[name];
    return {
      id: `enter-${name}`,
      name,
      defaultValue: typeof typed === "string" ? typed : undefined,
      error: lastResult?.error?.[name]?.[0],
      required: true,
    };
  };
  const received = control("receivedOn");
  const isTicked = lastResult?.initialValue?.isIdentified !== undefined;
  return (
    <form method="post" action="/admin/requests/new" noValidate className="grid max-w-2xl gap-6">
      <TextField label="Full name" {...control("name")} />
      <TextField
        label="Email"
        hint="The address the data is stored under. Our emails go there."
        {...control("email")}
        type="email"
      />
      <QuestionedAddress asked={asked} />
      <SelectField
        label="Request type"
        placeholder="Select the type of request"
        {...control("requestType")}
        options={typeOptions}
      />
      <TextAreaField
        label="Details"
        hint="What the person asks for. They see this if they get a copy of their data."
        {...control("description")}
        rows={6}
      />
      <SelectField label="How it arrived" placeholder="Select one" {...control("channel")} options={channels} />
      <TextField
        label="Date received"
        hint="Within the last 90 days."
        {...received}
        type="date"
        max={today}
        defaultValue={received.defaultValue ?? today}
      />
      <p>
        <label className="flex items-start">
          <input type="checkbox" name="isIdentified" defaultChecked={isTicked} className="check-box" />
          <span className="py-2.5">
            I have verified this person’s identity, so they don’t need to confirm by email (complaints never need it)
          </span>
        </label>
      </p>
      <p>
        <button className="button">Enter request</button>
      </p>
    </form>
  );
}
