import { trapFieldName } from "~/lib/trap-field";

/** Props of {@link TrapField}. */
export interface TrapFieldProps {
  /** for anyone who still finds the field */
  label: string;
  /** value of the last post */
  defaultValue: string | undefined;
}

/**
 * The honeypot: a field that people cannot see, so only a program fills it in. The attributes tell password managers
 * (1Password, LastPass, Bitwarden, Dashlane) to skip it, because their users are not spammers.
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
