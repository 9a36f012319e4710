import type { FieldMetadata } from "@conform-to/react";
import { networkBox, networkWords } from "~/content/pages/network";
import { networkLimits } from "#supabase/functions/_shared/network-fields";
import { type NetworkDetailControl, NetworkDetailFields, type NetworkDetailName } from "~/ui/forms/network-details";

/** Name of the box in the form. The server ignores the details without it. */
export const joinBoxName = "joinNetwork";

/** Props of {@link NetworkBox}. */
export interface NetworkBoxProps {
  /** false unless the visitor checked it before a mistake: consent is never given in advance (GDPR, recital 32) */
  checkedAtFirst: boolean;
  details: Record<NetworkDetailName, FieldMetadata>;
}

/** The box with which an investor also asks to join the network, and the details that appear once it is checked. */
export function NetworkBox({ checkedAtFirst, details }: NetworkBoxProps) {
  const id = `contact-${joinBoxName}`;
  return (
    <>
      <div className="check-line">
        <input
          id={id}
          name={joinBoxName}
          type="checkbox"
          defaultChecked={checkedAtFirst}
          aria-describedby={`${id}-hint`}
          className="check-box join-box"
        />
        <div className="py-2.5">
          <label htmlFor={id}>{networkBox.label}</label>
          <p id={`${id}-hint`} className="text-(--muted)">
            {networkBox.hint}
          </p>
        </div>
      </div>
      <fieldset className="join-details">
        <legend className="text-(--muted)">{networkBox.details}</legend>
        <NetworkDetailFields
          controls={{
            kind: toControl(details.kind),
            fields: toControl(details.fields),
            checkSize: toControl(details.checkSize),
            place: toControl(details.place),
            qualification: toControl(details.qualification),
          }}
          words={networkWords}
          placeLimit={networkLimits.place}
        />
      </fieldset>
    </>
  );
}

function toControl({ id, name, initialValue, errors }: FieldMetadata): NetworkDetailControl {
  return { id, name, value: initialValue as string | string[] | undefined, error: errors?.[0] };
}
