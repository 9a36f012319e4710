/** Props of {@link LinkButton}. */
export interface LinkButtonProps {
  /** of the form; with the token, if a refusal shows the page again */
  action: string;
  token: string;
  label: string;
  /** tells the buttons of a page apart */
  intent?: string;
  isQuiet?: boolean;
  /** digest of the details that the page shows */
  shown?: string;
}

/** A form with one button on the page of a secret link. */
export function LinkButton({ action, token, label, intent, isQuiet = false, shown }: LinkButtonProps) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="token" value={token} />
      {shown === undefined ? null : <input type="hidden" name="shown" value={shown} />}
      <button
        name={intent === undefined ? undefined : "intent"}
        value={intent}
        className={isQuiet ? "button button-quiet" : "button"}
      >
        {label}
      </button>
    </form>
  );
}
