import { useInstantFormat } from "~/ui/frame/time-zone";
import { InvitationDelivery } from "../delivery/invitation-delivery";
import { SeenField } from "../shared/seen-field";
import type { People } from "./people.server";
import { PersonLog } from "./person-log";

/** Invitations that have not been accepted yet. */
export function InvitationList({ invitations, version }: Pick<People, "invitations" | "version">) {
  const formatInstant = useInstantFormat();
  return (
    <section aria-labelledby="invitations">
      <h3 id="invitations" className="text-xl">
        Open invitations
      </h3>
      {invitations.length === 0 ? <p className="mt-3">No open invitations.</p> : null}
      <ul className="mt-3 grid gap-4">
        {invitations.map(({ id, email, made_at, expires_at, undelivered, events }) => (
          <li key={id} className="grid gap-2 rounded-xl border border-(--line) bg-(--raised) p-6">
            <p className="font-semibold wrap-anywhere">{email}</p>
            <p className="text-(--muted)">{`Invited on ${formatInstant(made_at)}, expires on ${formatInstant(expires_at)}`}</p>
            <InvitationDelivery undelivered={undelivered} version={version} />
            <PersonLog email={email} events={events} />
            <form method="post" action="/admin/people">
              <input type="hidden" name="id" value={id} />
              <SeenField version={version} />
              <button
                name="intent"
                value="withdraw"
                className="button button-quiet"
                aria-label={`Withdraw the invitation to ${email}`}
              >
                Withdraw
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Other people in the log: former admins and invited addresses. */
export function OtherPeople({ others }: { others: People["others"] }) {
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="others">
      <h3 id="others" className="text-xl">
        Former admins and other addresses
      </h3>
      <ul className="mt-3 grid gap-4">
        {others.map(({ email, events }) => (
          <li key={email} className="grid gap-2 rounded-xl border border-(--line) bg-(--raised) p-6">
            <p className="font-semibold wrap-anywhere">{email}</p>
            <PersonLog email={email} events={events} />
          </li>
        ))}
      </ul>
    </section>
  );
}
