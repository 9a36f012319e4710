import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { ResendForm } from "./resend-form";

/** Why the mail of an invitation was not delivered, or null, and the version of the list of people. */
export interface InvitationDeliveryProps {
  undelivered: { id: string; code: string | null } | null;
  version: number;
}

/** Says that an invitation did not arrive, and sends it again. Shows nothing if it was not refused. */
export function InvitationDelivery({ undelivered, version }: InvitationDeliveryProps) {
  if (undelivered === null) return null;
  return (
    <div>
      <p>
        <strong className="text-(--danger)">{`Not delivered: ${describeRefusal(undelivered.code)}`}</strong>
      </p>
      <ResendForm id={undelivered.id} version={version} isWaiting={false} />
    </div>
  );
}
