import { PostButton } from "~/ui/forms/post-button";
import { TitledSection } from "~/ui/content/titled-section";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { describeRefusal } from "#supabase/functions/_shared/mails/delivery-reason";
import { ResendForm } from "../delivery/resend-form";
import type { People } from "./people.server";
import { PersonLog } from "./person-log";

/** Invitations that have not been accepted yet. */
export function InvitationList({ invitations, version }: Pick<People, "invitations" | "version">) {
  const formatInstant = useInstantFormat();
  return (
    <TitledSection id="invitations" title="Open invitations">
      {invitations.length === 0 ? <p className="mt-3">No open invitations.</p> : null}
      <ul className="mt-3 grid gap-4">
        {invitations.map(({ id, email, made_at, expires_at, undelivered, events }) => (
          <li key={id} className="grid gap-2 rounded-xl border border-(--line) bg-(--raised) p-6">
            <p className="font-semibold wrap-anywhere">{email}</p>
            <p className="text-(--muted)">{`Invited on ${formatInstant(made_at)}, expires on ${formatInstant(expires_at)}`}</p>
            {undelivered ? (
              <div>
                <p>
                  <strong className="text-(--danger)">{`Not delivered: ${describeRefusal(undelivered.code)}`}</strong>
                </p>
                <ResendForm id={undelivered.id} version={version} isWaiting={false} />
              </div>
            ) : null}
            <PersonLog email={email} events={events} />
            <PostButton
              action="/admin/people"
              intent="withdraw"
              fields={{ id, seen: version }}
              label="Withdraw"
              name={`Withdraw the invitation to ${email}`}
            />
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

/** Other people in the log: former admins and invited addresses. */
export function OtherPeople({ others }: { others: People["others"] }) {
  if (others.length === 0) return null;
  return (
    <TitledSection id="others" title="Former admins and other addresses">
      <ul className="mt-3 grid gap-4">
        {others.map(({ email, events }) => (
          <li key={email} className="grid gap-2 rounded-xl border border-(--line) bg-(--raised) p-6">
            <p className="font-semibold wrap-anywhere">{email}</p>
            <PersonLog email={email} events={events} />
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}
