import { peoplePage } from "~/content/account/people";
import { useInstantFormat } from "~/ui/frame/time-zone";
import type { PersonEvents } from "./people.server";

const { log } = peoplePage;

/** What a person did and what was done to them, newest first, behind a summary. */
export function PersonLog({ email, events }: { email: string; events: PersonEvents }) {
  const formatInstant = useInstantFormat();
  return (
    <details>
      <summary className="summary-button" aria-label={`${log.summary}: ${email}`}>
        {log.summary}
      </summary>
      {events.length === 0 ? (
        <p className="mt-2 text-(--muted)">{log.none}</p>
      ) : (
        <ol className="mt-2 grid gap-2">
          {events.map((event) => (
            <li key={event.id} className="wrap-anywhere">
              {describe(event)} <span className="text-(--muted)">{formatInstant(event.at)}</span>
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}

function describe({ action, by, person }: PersonEvents[number]): string {
  const who = by ?? log.operator;
  return `${log.actions[action]?.(who, person ?? "") ?? log.other(who, action)}.`;
}
