import { networkBox, networkWords } from "~/content/pages/network";
import { networkLimits } from "#supabase/functions/_shared/network-fields";
import { NetworkDetailFields, type NetworkDetailFieldsProps } from "~/ui/forms/network-details";

/** Name of the box in the form. The server ignores the details without it. */
export const joinBoxName = "joinNetwork";

/** Props of {@link NetworkBox}. */
export interface NetworkBoxProps {
  /** false unless the visitor checked it before a mistake: consent is never given in advance (GDPR, recital 32) */
  checkedAtFirst: boolean;
  details: NetworkDetailFieldsProps["fields"];
  /** shows the details above the box; otherwise they appear below it once it is checked */
  isDetailed: boolean;
}

/** The box with which an investor also asks to join the network, and the optional details. */
export function NetworkBox({ checkedAtFirst, details, isDetailed }: NetworkBoxProps) {
  const id = `contact-${joinBoxName}`;
  const detailFields = (
    <fieldset className="join-details">
      <legend className="text-(--muted)">{networkBox.details}</legend>
      <NetworkDetailFields fields={details} words={networkWords} placeLimit={networkLimits.place} />
    </fieldset>
  );
  return (
    <>
      {isDetailed ? detailFields : null}
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
      {isDetailed ? null : detailFields}
    </>
  );
}
