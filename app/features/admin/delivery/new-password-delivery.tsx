import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";

/** Says that a link to a new password did not arrive. The link is short-lived, so its owner asks for a new one. */
export function NewPasswordDelivery({ refusal }: { refusal: string | null }) {
  if (refusal === null) return null;
  return (
    <p>
      <strong className="text-(--danger)">{`Link to a new password not delivered: ${describeRefusal(refusal)}.`}</strong>
      {" They can ask for another on the login page, or your site operator can print one."}
    </p>
  );
}
