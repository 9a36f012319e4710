import { CheckList } from "./check-list";
import { TextField } from "./field";
import { SelectField } from "./select-field";

/** Names of a member's details in the form, in its order. */
export const networkDetailNames = ["kind", "fields", "checkSize", "place", "qualification"] as const;

/** One of {@link networkDetailNames}. */
export type NetworkDetailName = (typeof networkDetailNames)[number];

/** State of one control. */
export interface NetworkDetailControl {
  id: string;
  name: string;
  /** a list for checkboxes */
  value: string | readonly string[] | undefined;
  error: string | undefined;
}

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
  controls: Readonly<Record<NetworkDetailName, NetworkDetailControl>>;
  words: NetworkDetailWords;
  /** maximum number of characters */
  placeLimit: number;
}

/** The optional details of a member of the investor network, on the contact form and on the member's page. */
export function NetworkDetailFields({ controls, words, placeLimit }: NetworkDetailFieldsProps) {
  const { labels, hints } = words;
  const text = (name: Exclude<NetworkDetailName, "fields">) => {
    const { value, ...control } = controls[name];
    return { ...control, defaultValue: typeof value === "string" ? value : "" };
  };
  const { fields } = controls;
  return (
    <>
      <SelectField
        {...text("kind")}
        label={labels.kind}
        placeholder={words.notGiven}
        options={toOptions(words.kinds)}
      />
      <CheckList
        id={fields.id}
        name={fields.name}
        label={labels.fields}
        options={toOptions(words.fields)}
        checkedAtFirst={typeof fields.value === "string" ? [fields.value] : (fields.value ?? [])}
        error={fields.error}
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
