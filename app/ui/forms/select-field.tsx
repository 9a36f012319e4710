import type { SelectHTMLAttributes } from "react";
import { FieldFrame, type FieldFrameProps, described } from "./field";

/** A labelled choice of one among several. */
export type SelectFieldProps = FieldFrameProps & {
  /** `dir`: of a label that people wrote */
  options: readonly { value: string; label: string; dir?: "auto" }[];
  /** stands for "nothing chosen yet" and cannot be sent as an answer */
  placeholder: string;
} & SelectHTMLAttributes<HTMLSelectElement>;

/** Like TextField, for a choice; the platform's own control, which every keyboard, phone and reader knows. */
export function SelectField({ id, label, hint, error, options, placeholder, ...select }: SelectFieldProps) {
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select {...select} {...described(id, hint, error)} id={id} className="control mt-2">
        <option value="">{placeholder}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value} dir={option.dir}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
