import { TitledSection } from "~/ui/content/titled-section";
import { retention } from "~/content/facts";
import { useInstantFormat } from "~/ui/frame/time-zone";
import type { OwnAccount } from "./account.server";

const kinds = {
  "password-changed": "Password changed",
  "factor-on": "Two-step verification turned on",
  "factor-off": "Two-step verification turned off",
  "recovery-code": "Recovery code used, two-step verification turned off",
  "wrong-codes": "Five wrong codes entered by someone with your password",
};

/** Recent activity of the account, newest first. */
export function EventList({ events }: Pick<OwnAccount, "events">) {
  const formatInstant = useInstantFormat();
  return (
    <TitledSection id="events" title="Recent activity">
      <p className="mt-2 max-w-[43.5em]">{`Sign-ins, and changes to your password and two-step verification, in the last ${retention.accountEventDays} days. Newest first.`}</p>
      {events.length === 0 ? <p className="mt-4">No activity yet.</p> : null}
      <ol className="mt-4 grid gap-3">
        {events.map((event) => (
          <li key={event.id} className="border-t border-(--line) pt-3">
            <p>{describe(event)}</p>
            <p className="text-(--muted)">{formatInstant(event.at)}</p>
          </li>
        ))}
      </ol>
    </TitledSection>
  );
}

function describe(event: OwnAccount["events"][number]): string {
  if (event.kind !== "sign-in") return kinds[event.kind];
  return event.is_new_device ? `Signed in on a new device: ${event.device}` : `Signed in: ${event.device}`;
}
