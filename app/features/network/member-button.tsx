import { networkAddress } from "./network-address";

/** Actions of a member's page that need no fields. */
export type MemberAction = "confirm" | "discard" | "resume" | "endLinks" | "leave";

/** Props of {@link MemberButton}. */
export interface MemberButtonProps {
  token: string;
  action: MemberAction;
  label: string;
  isQuiet?: boolean;
  /** digest of the pending wish that the page shows */
  shown?: string;
}

/** A form with one button. The address holds the token, so that a refusal can show the page again. */
export function MemberButton({ token, action, label, isQuiet = false, shown }: MemberButtonProps) {
  return (
    <form method="post" action={networkAddress(token)}>
      <input type="hidden" name="token" value={token} />
      {shown === undefined ? null : <input type="hidden" name="shown" value={shown} />}
      <button name="intent" value={action} className={isQuiet ? "button button-quiet" : "button"}>
        {label}
      </button>
    </form>
  );
}
