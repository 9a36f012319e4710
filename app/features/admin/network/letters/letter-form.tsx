import { networkFields, networkKinds } from "#supabase/functions/_shared/network-fields";
import { networkWords } from "~/content/pages/network";
import { CheckList } from "~/ui/forms/check-list";
import { TextAreaField, TextField } from "~/ui/forms/field";
import { SelectField } from "~/ui/forms/select-field";
import { SeenField } from "../../shared/seen-field";
import type { RefusedDraft } from "./letter-draft.server";
import { letterStates } from "../network-filters";
import { letterPath, letterStateWords } from "./letter-words";

/** Values of the form, as typed. */
export type LetterInput = Pick<
  RefusedDraft,
  "subject" | "body" | "toStates" | "toKind" | "toField" | "seen" | "mistakes"
>;

/** Props of {@link LetterForm}. */
export interface LetterFormProps {
  id: string;
  /** true for a letter that was never saved */
  isNew: boolean;
  input: LetterInput;
}

/** Values of the form of a letter that was never saved. */
export const emptyLetter: LetterInput = {
  subject: "",
  body: "",
  toStates: [],
  toKind: "",
  toField: "",
  seen: undefined,
  mistakes: {},
};

const fields = ["subject", "body", "toStates", "toKind", "toField"] as const;

/** Lists the mistakes of the form for the error summary. */
export const listLetterMistakes = ({ mistakes }: Pick<LetterInput, "mistakes">) =>
  fields.map((controlId) => ({ controlId, text: mistakes[controlId] }));

/** The form of a draft: subject, text and the members to write to. */
export function LetterForm({ id, isNew, input }: LetterFormProps) {
  const { mistakes, seen } = input;
  return (
    // Multipart, because the longest text would be three times as long in the other encoding.
    <form
      method="post"
      action={letterPath(isNew ? "new" : id)}
      encType="multipart/form-data"
      noValidate
      className="grid max-w-2xl gap-6"
    >
      {isNew ? <input type="hidden" name="letter" value={id} /> : null}
      {seen === undefined ? null : <SeenField version={seen} />}
      <TextField
        id="subject"
        name="subject"
        label="Subject"
        required
        autoComplete="off"
        defaultValue={input.subject}
        error={mistakes.subject}
      />
      <TextAreaField
        id="body"
        name="body"
        label="Text"
        hint="Plain text. {name}, here or in the subject, becomes each member’s first name. The firm’s postal address and the link to leave follow by themselves."
        required
        rows={14}
        defaultValue={input.body}
        error={mistakes.body}
      />
      <CheckList
        id="toStates"
        name="toStates"
        label="Write to"
        options={letterStates.map((value) => ({ value, label: letterStateWords[value] }))}
        checkedAtFirst={input.toStates}
        error={mistakes.toStates}
      />
      <SelectField
        id="toKind"
        name="toKind"
        label="Only this kind"
        placeholder="All kinds"
        options={networkKinds.map((value) => ({ value, label: networkWords.kinds[value] }))}
        defaultValue={input.toKind}
        error={mistakes.toKind}
      />
      <SelectField
        id="toField"
        name="toField"
        label="Only with this field of interest"
        placeholder="All fields"
        options={networkFields.map((value) => ({ value, label: networkWords.fields[value] }))}
        defaultValue={input.toField}
        error={mistakes.toField}
      />
      <p className="flex flex-wrap gap-3">
        <button name="intent" value="check" className="button">
          Save and check
        </button>
        <button name="intent" value="save" className="button button-quiet">
          Save draft
        </button>
      </p>
      <p className="text-(--muted)">Neither button sends anything.</p>
    </form>
  );
}
