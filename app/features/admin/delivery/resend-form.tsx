import { SeenField } from "../shared/seen-field";

/** A mail to send again, and the version of what it belongs to. */
export interface ResendFormProps {
  id: string;
  version: number;
  /** true while the site still tries by itself */
  isWaiting: boolean;
  /** true for the firm's own mail, whose address is a setting */
  isToFirm?: boolean;
}

/** Button that sends a mail again, and link to the page where its address is corrected. */
export function ResendForm({ id, version, isWaiting, isToFirm = false }: ResendFormProps) {
  const address = `/admin/mail/${id}`;
  return (
    <form method="post" action={address} className="mt-2 flex flex-wrap gap-3">
      <SeenField version={version} />
      <button name="intent" value="resend" className="button button-quiet">
        {isWaiting ? "Try now" : "Send again"}
      </button>{" "}
      {isToFirm ? null : (
        <a href={address} className="button button-quiet">
          Correct the address
        </a>
      )}
    </form>
  );
}
