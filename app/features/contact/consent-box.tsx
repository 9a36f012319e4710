import { useEffect, useRef, useState } from "react";
import { contactPage } from "~/content/pages/contact";
import { FieldError, described } from "~/ui/forms/field";

/** Unknown until scripts have looked at the box: without scripts the server checks it. */
export type ConsentState = "unknown" | "given" | "missing";

/** The consent checkbox. */
export interface ConsentBoxProps {
  id: string;
  name: string;
  checkedAtFirst: boolean;
  error: string | undefined;
  /** told once scripts run, and at every change */
  onChange: (state: ConsentState) => void;
}

/** Asks for consent to the privacy policy, which the server demands too. */
export function ConsentBox({ id, name, checkedAtFirst, error, onChange }: ConsentBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  // A visitor may have ticked it before the scripts arrived.
  useEffect(() => onChange(box.current?.checked ? "given" : "missing"), [onChange]);
  const { before, link, after } = contactPage.consent;
  return (
    <div>
      {error ? <FieldError id={id} text={error} /> : null}
      <div className="flex items-start gap-3">
        <input
          {...described(id, undefined, error)}
          ref={box}
          id={id}
          name={name}
          type="checkbox"
          required
          defaultChecked={checkedAtFirst}
          onChange={(event) => onChange(event.currentTarget.checked ? "given" : "missing")}
          className="my-2.5 mr-3 h-6 w-6 shrink-0 accent-(--accent)"
        />
        <label htmlFor={id} className="py-2.5">
          {before}
          <a href="/privacy-policy">{link}</a>
          {after}
        </label>
      </div>
    </div>
  );
}

/** The state of the consent box as the form's button needs it. */
export function useConsent(): [ConsentState, (state: ConsentState) => void] {
  return useState<ConsentState>("unknown");
}
