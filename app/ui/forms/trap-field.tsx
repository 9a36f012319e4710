import { trapFieldName } from "~/lib/trap-field";

/** The hidden field. */
export interface TrapFieldProps {
  /** for whoever finds it all the same */
  label: string;
  /** what the last post came with */
  defaultValue: string | undefined;
}

/**
 * A field that people cannot see, so that what fills it in is a program. The marks ask the password managers by name (1Password, LastPass,
 * Bitwarden, Dashlane) to leave it alone: they are no spam.
 */
export function TrapField({ label, defaultValue }: TrapFieldProps) {
  return (
    <div className="trap" aria-hidden="true">
      <label>
        {label}
        <input
          name={trapFieldName}
          defaultValue={defaultValue}
          tabIndex={-1}
          autoComplete="off"
          data-1p-ignore="true"
          data-lpignore="true"
          data-bwignore="true"
          data-form-type="other"
        />
      </label>
    </div>
  );
}
