import { useEffect, useRef } from "react";
import { contactPage } from "~/content/pages/contact";
import { FieldError, described } from "~/ui/forms/field";

/** Props of {@link ConsentBox}. */
export interface ConsentBoxProps {
  id: string;
  name: string;
  checkedAtFirst: boolean;
  error: string | undefined;
  /** called with whether consent is missing, once scripts run and on every change; without scripts, the server checks it */
  onChange: (isMissing: boolean) => void;
}

/** The checkbox for consent to the privacy policy, which the server requires, too. */
export function ConsentBox({ id, name, checkedAtFirst, error, onChange }: ConsentBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  // The visitor may have checked it before the scripts arrived.
  useEffect(() => onChange(!box.current?.checked), [onChange]);
  const { before, link, after } = contactPage.consent;
  return (
    <div>
      {error ? <FieldError id={id} text={error} /> : null}
      <div className="check-line">
        <input
          {...described(id, undefined, error)}
          ref={box}
          id={id}
          name={name}
          type="checkbox"
          required
          defaultChecked={checkedAtFirst}
          onChange={(event) => onChange(!event.currentTarget.checked)}
          className="check-box"
        />
        <label htmlFor={id}>
          {before}
          <a href="/privacy-policy">{link}</a>
          {after}
        </label>
      </div>
    </div>
  );
}
