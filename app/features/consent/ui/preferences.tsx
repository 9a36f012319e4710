import { type SyntheticEvent, useCallback, useRef } from "react";
import { consentWords } from "~/content/privacy/consent";
import type { ConsentView } from "../state/consent-view.server";
import { isChoiceKept } from "./is-choice-kept";
import { OwnRecord } from "./own-record";
import { preferencesId } from "./preferences-address";
import { PreferencesForm } from "./preferences-form";
import { recoverFocus } from "./recover-focus";
import { useConsentForm } from "./use-consent-form";

/** Props of {@link PreferencesDialog} and {@link OpenPreferences}. */
export interface PreferencesProps {
  consent: ConsentView;
  /** path and query of the page, without the parameter that opens the preferences */
  page: string;
  /** address of the page with the preferences open in it */
  address: string;
}

const titleId = `${preferencesId}-title`;

/**
 * The dialog, initially closed. Buttons with its id open it. The platform makes it modal, traps and restores focus, and
 * closes it on Esc. On a page without scripts, Cancel loads the page again, because no control both resets a form and
 * closes a dialog.
 * @param props `hasScripts`: the page has scripts, which drop unsaved switches
 */
export function PreferencesDialog(props: PreferencesProps & { hasScripts: boolean }) {
  const { consent, page, address, hasScripts } = props;
  const { cancel } = consentWords(consent.analyticsInUse).dialog;
  const dialog = useRef<HTMLDialogElement>(null);
  const onKept = useCallback(() => close(dialog.current), []);
  const { send, isSending, failure } = useConsentForm(isChoiceKept(consent), onKept);
  return (
    <dialog
      ref={dialog}
      id={preferencesId}
      popover="auto"
      closedby="any"
      aria-labelledby={titleId}
      className="dialog"
      onClose={dropUnsaved}
    >
      <PreferencesForm
        consent={consent}
        page={page}
        address={address}
        titleId={titleId}
        isSending={isSending}
        failure={failure}
        onSubmit={send}
        cancel={
          hasScripts ? (
            <button
              type="button"
              className="button button-quiet"
              command="close"
              commandfor={preferencesId}
              popovertarget={preferencesId}
            >
              {cancel}
            </button>
          ) : (
            <a href={page} className="button button-quiet">
              {cancel}
            </a>
          )
        }
      />
    </dialog>
  );
}

/** The preferences open within the page at their own URL, for browsers that cannot open a dialog without scripts. */
export function OpenPreferences({ consent, page, address }: PreferencesProps) {
  return (
    <div className="wrap pt-6">
      <dialog open id={preferencesId} aria-labelledby={titleId} className="dialog dialog-open">
        <PreferencesForm
          consent={consent}
          page={page}
          address={address}
          titleId={titleId}
          cancel={
            <a href={page} className="button button-quiet">
              {consentWords(consent.analyticsInUse).dialog.cancel}
            </a>
          }
        />
        {consent.record ? <OwnRecord record={consent.record} page={page} /> : null}
      </dialog>
    </div>
  );
}

/** Sets the switches back to the saved decision. */
function dropUnsaved({ currentTarget }: SyntheticEvent): void {
  currentTarget.querySelector("form")?.reset();
}

/**
 * Closes it. Browsers without invoker commands open it as a popover instead of a modal dialog. The button that opened it
 * is gone if it was the banner's.
 */
function close(dialog: HTMLDialogElement | null): void {
  if (dialog?.open) dialog.close();
  else if (dialog?.matches(":popover-open")) dialog.hidePopover();
  recoverFocus();
}
