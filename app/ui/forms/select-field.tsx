import type { SelectHTMLAttributes } from "react";
import { FieldFrame, type FieldFrameProps, described } from "./field";

/** Props of {@link SelectField}. */
export type SelectFieldProps = FieldFrameProps & {
  /** `dir`: for labels that users wrote */
  options: readonly { value: string; label: string; dir?: "auto" }[];
  /** shown while nothing is chosen; not a valid value */
  placeholder: string;
} & SelectHTMLAttributes<HTMLSelectElement>;

/** A labeled select. The native control works with every keyboard, phone and screen reader. */
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
