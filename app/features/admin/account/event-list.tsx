import { accountPage } from "~/content/account/account";
import { useInstantFormat } from "~/ui/frame/time-zone";
import type { OwnAccount } from "./account.server";

const words = accountPage.events;

/** What happened with the account lately, newest first. */
export function EventList({ events }: Pick<OwnAccount, "events">) {
  const formatInstant = useInstantFormat();
  return (
    <section aria-labelledby="events" className="mt-6">
      <h3 id="events" className="text-xl">
        {words.title}
      </h3>
      <p className="mt-2 max-w-[68ch]">{words.lead}</p>
      {events.length === 0 ? <p className="mt-4">{words.none}</p> : null}
      <ol className="mt-4 grid gap-3">
        {events.map((event) => (
          <li key={event.id} className="border-t border-(--line) pt-3">
            <p>{describe(event)}</p>
            <p className="text-(--muted)">{formatInstant(event.at)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function describe(event: OwnAccount["events"][number]): string {
  if (event.kind !== "sign-in") return words.kinds[event.kind];
  return event.is_new_device ? words.signInOnNewDevice(event.device) : words.signIn(event.device);
}
