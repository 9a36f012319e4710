import { useInstantFormat } from "~/ui/frame/time-zone";
import { deviceInWords } from "~/lib/http/device-in-words";
import type { OwnAccount } from "./account.server";

/** The admin's own sessions, this browser's first. Every other session can be ended, alone or all at once. */
export function SessionList({ sessions }: Pick<OwnAccount, "sessions">) {
  const formatInstant = useInstantFormat();
  return (
    <section aria-labelledby="sessions" className="mt-6 grid gap-6">
      <div>
        <h3 id="sessions" className="text-xl">
          Where you are signed in
        </h3>
        <p className="mt-2 max-w-[43.5em]">
          If you don’t recognize a session, end it and change your password. “Last used” is updated about once an hour.
        </p>
      </div>
      <ul className="grid gap-4">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-(--line) bg-(--raised) px-6 py-4"
          >
            <div>
              <p className="font-semibold" id={`session-${session.id}`}>
                {deviceInWords(session.user_agent)}
              </p>
              <p className="text-(--muted)">
                {`Signed in ${formatInstant(session.begun_at)}, last used ${formatInstant(session.used_at)}`}
              </p>
            </div>
            {session.is_this ? (
              <p className="font-semibold">This session</p>
            ) : (
              <form method="post" action="/admin/account">
                <input type="hidden" name="session" value={session.id} />
                <button
                  name="intent"
                  value="end-session"
                  className="button button-quiet"
                  aria-describedby={`session-${session.id}`}
                >
                  End session
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        <form method="post" action="/admin/account">
          <button name="intent" value="end-other-sessions" className="button button-quiet">
            End all other sessions
          </button>
        </form>
      ) : null}
    </section>
  );
}
