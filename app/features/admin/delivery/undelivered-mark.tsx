import { describeRefusal, failureOf } from "#supabase/functions/_shared/mails/delivery-reason";

const marks = { refused: "Not delivered", unsent: "Not sent", perhaps: "Perhaps delivered" };

/** Marks a message whose reply, or a member whose link, was not delivered, in their list. */
export function UndeliveredMark({ error }: { error: string | null }) {
  return <strong className="text-(--danger)">{marks[failureOf(error)]}</strong>;
}

/** Says why the reply to a message or request was not delivered. Shows nothing if it was. */
export function UndeliveredReason(owner: { undelivered_at: string | null; refusal: string | null }) {
  if (owner.undelivered_at === null) return null;
  return (
    <p className="mb-3 font-semibold text-(--danger)">
      {owner.refusal === null ? "Reply not delivered" : `Reply not delivered: ${describeRefusal(owner.refusal)}`}
    </p>
  );
}
