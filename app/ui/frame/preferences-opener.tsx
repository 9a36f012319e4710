/** Opens the preferences. */
export interface PreferencesOpenerProps {
  label: string;
  /** id of the dialog on this page, or null where the page has none */
  dialogId: string | null;
  /** an address that shows this page with the preferences open in it */
  address: string;
  className: string;
}

/**
 * A button that opens the page's dialog, modal by the platform alone. Browsers that know neither commands nor popovers
 * get a link instead (style rule `.opener`), and so do pages that carry no dialog.
 */
export function PreferencesOpener({ label, dialogId, address, className }: PreferencesOpenerProps) {
  if (dialogId === null) {
    return (
      <a href={address} className={className}>
        {label}
      </a>
    );
  }
  return (
    <span className="opener">
      <button type="button" className={className} command="show-modal" commandfor={dialogId} popovertarget={dialogId}>
        {label}
      </button>
      <a href={address} className={className}>
        {label}
      </a>
    </span>
  );
}
