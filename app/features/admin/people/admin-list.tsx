import { peoplePage } from "~/content/account/people";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { SeenField } from "../shared/seen-field";
import type { People } from "./people.server";
import { PersonLog } from "./person-log";

const { admins: words, remove } = peoplePage;

/** Every admin: since when, last sign-in, sessions; and for all but oneself the way to remove them, in two steps. */
export function AdminList({ admins, version }: Pick<People, "admins" | "version">) {
  const formatInstant = useInstantFormat();
  return (
    <section aria-labelledby="admins">
      <h3 id="admins" className="text-xl">
        {words.title}
      </h3>
      <ul className="mt-3 grid gap-4">
        {admins.map((admin) => (
          <li key={admin.id} className="grid gap-2 rounded-xl border border-(--line) bg-(--raised) p-6">
            <p className="font-semibold wrap-anywhere">
              {admin.email}
              {admin.is_self ? <span className="font-normal text-(--muted)"> ({words.you})</span> : null}
            </p>
            <p className="text-(--muted)">
              {[
                words.since(formatInstant(admin.since)),
                admin.last_sign_in ? words.lastSignIn(formatInstant(admin.last_sign_in)) : words.neverSignedIn,
                words.sessions(admin.sessions),
              ].join(" · ")}
            </p>
            <PersonLog email={admin.email} events={admin.events} />
            {admin.is_self ? null : <Removal admin={admin} version={version} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Behind a summary, so that nobody is removed by a slip, and everything works without scripts. */
function Removal({ admin, version }: { admin: People["admins"][number]; version: number }) {
  const { id, email, invitations } = admin;
  return (
    <details>
      <summary className="summary-button" aria-label={`${remove.summary} ${email}`}>
        {remove.summary}
      </summary>
      <p className="mt-2 mb-3 max-w-[68ch] wrap-anywhere">{remove.consequence(email, invitations)}</p>
      <form method="post" action="/admin/people">
        <input type="hidden" name="id" value={id} />
        <SeenField version={version} />
        <button name="intent" value="remove" className="button button-quiet">
          {remove.confirm}
        </button>
      </form>
    </details>
  );
}
