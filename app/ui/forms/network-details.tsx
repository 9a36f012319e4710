import { CheckList } from "./check-list";
import { TextField } from "./field";
import { type PostedField, fillControl } from "./posted-fields";
import { SelectField } from "./select-field";

/** Names of a member's details in the form, in its order. */
export const networkDetailNames = ["kind", "fields", "checkSize", "place", "qualification"] as const;

/** One of {@link networkDetailNames}. */
export type NetworkDetailName = (typeof networkDetailNames)[number];

/** Labels of the controls and of their choices, by value. */
export interface NetworkDetailWords {
  labels: Readonly<Record<"kind" | "fields" | "check_size" | "place" | "qualification", string>>;
  hints: { readonly qualification: string };
  /** the empty choice */
  notGiven: string;
  kinds: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, string>>;
  checkSizes: Readonly<Record<string, string>>;
  qualifications: Readonly<Record<string, string>>;
}

/** Props of {@link NetworkDetailFields}. */
export interface NetworkDetailFieldsProps {
  fields: Readonly<Record<NetworkDetailName, PostedField>>;
  words: NetworkDetailWords;
  /** maximum number of characters */
  placeLimit: number;
}

/** The optional details of a member of the investor network, on the contact form and on the member's page. */
export function NetworkDetailFields({ fields, words, placeLimit }: NetworkDetailFieldsProps) {
  const { labels, hints } = words;
  const text = (name: Exclude<NetworkDetailName, "fields">) => {
    const control = fillControl(fields[name]);
    return { ...control, defaultValue: typeof control.defaultValue === "string" ? control.defaultValue : "" };
  };
  const { defaultValue: chosen = [], ...boxes } = fillControl(fields.fields);
  return (
    <>
      <SelectField
        {...text("kind")}
        label={labels.kind}
        placeholder={words.notGiven}
        options={toOptions(words.kinds)}
      />
      <CheckList
        {...boxes}
        label={labels.fields}
        options={toOptions(words.fields)}
        checkedAtFirst={[chosen].flat().map(String)}
      />
      <SelectField
        {...text("checkSize")}
        label={labels.check_size}
        placeholder={words.notGiven}
        options={toOptions(words.checkSizes)}
      />
      <TextField {...text("place")} label={labels.place} autoComplete="country-name" limit={placeLimit} />
      <SelectField
        {...text("qualification")}
        label={labels.qualification}
        hint={hints.qualification}
        placeholder={words.notGiven}
        options={toOptions(words.qualifications)}
      />
    </>
  );
}

function toOptions(labels: Readonly<Record<string, string>>) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
