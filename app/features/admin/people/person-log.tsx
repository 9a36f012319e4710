import { useInstantFormat } from "~/ui/frame/time-zone";
import { countMembers } from "../network/letters/letter-words";
import type { PersonEvents } from "./people.server";

/** Log entries in words, by action. `who` acted on `whom`, or wrote to `count` members of the investor network. */
const actions: Readonly<Record<string, (who: string, whom: string, count: number) => string>> = {
  "admin-invited": (who: string, whom: string) => `${who} invited ${whom}`,
  "invitation-withdrawn": (who: string, whom: string) => `${who} withdrew the invitation to ${whom}`,
  "admin-joined": (who: string) => `${who} accepted an invitation`,
  "admin-named": (_who: string, whom: string) => `${whom} became an admin through a setting of this site`,
  "admin-granted": (who: string, whom: string) => `${who} made ${whom} an admin`,
  "admin-removed": (who: string, whom: string) => `${who} removed ${whom}`,
  "link-printed": (who: string, whom: string) => `${who} created a new-password link for ${whom}`,
  "second-factor-reset": (who: string, whom: string) => `${who} reset two-step verification for ${whom}`,
  "setup-code-made": (who: string, whom: string) => `${who} created a setup code for ${whom}`,
  "factor-on": (_who: string, whom: string) => `Two-step verification was turned on for ${whom}`,
  "factor-off": (_who: string, whom: string) => `Two-step verification was turned off for ${whom}`,
  "recovery-code": (_who: string, whom: string) => `A recovery code was used for ${whom}`,
  "wrong-codes": (_who: string, whom: string) =>
    `Five wrong codes were entered for ${whom} by someone with the password`,
  "password-set": (who: string, whom: string) => `${who} set a new password for ${whom}`,
  "name-changed": (who: string) => `${who} changed their name or signature`,
  "signed-out": (who: string, whom: string) => `${who} signed ${whom} out everywhere`,
  "password-renewed": (who: string) => `${who} set a new password through a link`,
  "submissions-exported": (who: string) => `${who} downloaded messages`,
  "members-exported": (who: string) => `${who} downloaded members of the investor network`,
  "member-removed": (who: string) => `${who} removed a member of the investor network`,
  "letter-saved": (who: string) => `${who} saved a letter to the investor network`,
  "letter-tried": (who: string) => `${who} sent themself a letter to the investor network`,
  "letter-sent": (who: string, _whom: string, count: number) =>
    `${who} sent a letter to ${countMembers(count)} of the investor network`,
  "letter-resent": (who: string, _whom: string, count: number) =>
    `${who} sent a letter again to ${countMembers(count)} of the investor network`,
  "letter-stopped": (who: string, _whom: string, count: number) =>
    `${who} stopped a letter to the investor network after ${countMembers(count)}`,
  "letter-deleted": (who: string) => `${who} deleted a draft of a letter to the investor network`,
  "submission-replied": (who: string) => `${who} replied to a message`,
  "submission-resent": (who: string) => `${who} sent an email again`,
  "submission-reply-taken-back": (who: string) => `${who} took a reply back`,
  "submission-address-corrected": (who: string) => `${who} corrected the address of a message`,
  "submission-deleted": (who: string) => `${who} deleted a message`,
  "submission-corrected": (who: string) => `${who} corrected a message`,
  "submission-restored": (who: string) => `${who} moved a message out of Held back`,
};

/** Log of a person's actions and of actions on them, newest first, in a collapsed section. */
export function PersonLog({ email, events }: { email: string; events: PersonEvents }) {
  const formatInstant = useInstantFormat();
  return (
    <details>
      <summary className="summary-button" aria-label={`Log: ${email}`}>
        Log
      </summary>
      {events.length === 0 ? (
        <p className="mt-2 text-(--muted)">No activity yet.</p>
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

function describe({ action, by, person, people_count }: PersonEvents[number]): string {
  const who = by ?? "The site operator";
  const words = actions[action]?.(who, person ?? "", people_count ?? 0) ?? `${who}: ${action.replaceAll(/[_-]/g, " ")}`;
  return `${words}.`;
}
