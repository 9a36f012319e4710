import { FieldError, described } from "./field";

/** Props of {@link CheckList}. */
export interface CheckListProps {
  id: string;
  name: string;
  label: string;
  hint?: string;
  options: readonly { value: string; label: string }[];
  checkedAtFirst: readonly string[];
  error?: string | undefined;
}

/** A group of checkboxes that share one name. A link to its id leads to the group. */
export function CheckList({ id, name, label, hint, options, checkedAtFirst, error }: CheckListProps) {
  return (
    <fieldset id={id} {...described(id, hint, error)}>
      <legend className="font-semibold">{label}</legend>
      {hint ? (
        <p id={`${id}-hint`} className="text-(--muted)">
          {hint}
        </p>
      ) : null}
      {error ? <FieldError id={id} text={error} /> : null}
      {options.map((option) => (
        <div key={option.value} className="check-line">
          <input
            id={`${id}-${option.value}`}
            name={name}
            value={option.value}
            type="checkbox"
            defaultChecked={checkedAtFirst.includes(option.value)}
            className="check-box"
          />
          <label htmlFor={`${id}-${option.value}`}>{option.label}</label>
        </div>
      ))}
    </fieldset>
  );
}
