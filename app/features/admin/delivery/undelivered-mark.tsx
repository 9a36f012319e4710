import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";

/** Says in a list that the reply to a message or request was not delivered, and why. */
export function UndeliveredMark({
  undelivered_at,
  refusal,
}: {
  undelivered_at: string | null;
  refusal: string | null;
}) {
  if (undelivered_at === null) return null;
  return (
    <strong className="text-(--danger)">
      {refusal === null ? "Reply not delivered" : `Reply not delivered: ${describeRefusal(refusal)}`}
    </strong>
  );
}
