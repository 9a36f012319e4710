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
 * a link instead (style rule `.opener`), and so do pages without a dialog. The button shows the link's words, because
 * text browsers, which have no styles, would read its own as well. Words that a style sheet writes cannot be translated.
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
      <button
        type="button"
        className={className}
        aria-label={label}
        command="show-modal"
        commandfor={dialogId}
        popovertarget={dialogId}
      />{" "}
      <a href={address} className={className} aria-label={label}>
        <span aria-hidden="true">{label}</span>
      </a>
    </span>
  );
}
