/** Props of {@link PreferencesOpener}. */
export interface PreferencesOpenerProps {
  label: string;
  /** id of the dialog on this page; null if the page has none */
  dialogId: string | null;
  /** address of this page with the preferences open in it */
  address: string;
  className: string;
}

/**
 * A button that opens the page's dialog as a modal without scripts. Browsers without invoker commands and popovers get
 * a link instead (style rule `.opener`), and so do pages without a dialog.
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
      </button>{" "}
      <a href={address} className={className}>
        {label}
      </a>
    </span>
  );
}
