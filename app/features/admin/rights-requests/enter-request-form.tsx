import type { SubmissionResult } from "@conform-to/react";
import { dataRightsTypeWords } from "~/content/privacy/data-rights-types";
import { QuestionedAddress } from "~/ui/forms/questioned-address";
import { TextAreaField, TextField } from "~/ui/forms/field";
import { SelectField } from "~/ui/forms/select-field";

/** The form by which an admin enters a request that came otherwise. */
export interface EnterRequestFormProps {
  /** ISO date, for a form that is new */
  today: string;
  /** what the last post came back with: mistakes and everything that was typed */
  lastResult: SubmissionResult | null;
  /** an address that the admin was asked about, else null */
  askedAddress: string | null;
}

const channels = [
  { value: "letter", label: "Letter" },
  { value: "phone", label: "Phone" },
  { value: "email", label: "Email" },
];
const typeOptions = Object.entries(dataRightsTypeWords).map(([value, label]) => ({ value, label }));

/** Complete without scripts; it keeps what was typed. */
export function EnterRequestForm({ today, lastResult, askedAddress }: EnterRequestFormProps) {
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
        hint="The address under which the data is stored. Our answers go there."
        {...control("email")}
        type="email"
      />
      <SelectField
        label="Request type"
        placeholder="Select the type of request"
        {...control("requestType")}
        options={typeOptions}
      />
      <TextAreaField
        label="Details"
        hint="What the person asks for. They get this with their data."
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
          <input
            type="checkbox"
            name="isIdentified"
            defaultChecked={isTicked}
            className="my-2.5 mr-3 h-6 w-6 shrink-0 accent-(--accent)"
          />
          <span className="py-2.5">
            I have verified this person’s identity, so they need not confirm by email (nobody has to for a complaint)
          </span>
        </label>
      </p>
      <QuestionedAddress address={askedAddress} />
      <p>
        <button className="button">Enter request</button>
      </p>
    </form>
  );
}
