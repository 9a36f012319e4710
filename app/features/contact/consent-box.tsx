import { useEffect, useRef, useState } from "react";
import { contactPage } from "~/content/pages/contact";
import { FieldError, described } from "~/ui/forms/field";

/** State of the box. "unknown" until scripts have read it: without scripts, the server checks it. */
export type ConsentState = "unknown" | "given" | "missing";

/** Props of {@link ConsentBox}. */
export interface ConsentBoxProps {
  id: string;
  name: string;
  checkedAtFirst: boolean;
  error: string | undefined;
  /** called once scripts run, and on every change */
  onChange: (state: ConsentState) => void;
}

/** The checkbox for consent to the privacy policy, which the server requires, too. */
export function ConsentBox({ id, name, checkedAtFirst, error, onChange }: ConsentBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  // The visitor may have checked it before the scripts arrived.
  useEffect(() => onChange(box.current?.checked ? "given" : "missing"), [onChange]);
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
          onChange={(event) => onChange(event.currentTarget.checked ? "given" : "missing")}
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

/** Holds the state of the consent box for the form's button. */
export function useConsent(): [ConsentState, (state: ConsentState) => void] {
  return useState<ConsentState>("unknown");
}
