import { PostButton } from "~/ui/forms/post-button";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { deviceInWords } from "~/lib/http/device-in-words";
import type { OwnAccount } from "./account.server";

/** The admin's own sessions, this browser's first. Every other session can be ended, alone or all at once. */
export function SessionList({ sessions }: Pick<OwnAccount, "sessions">) {
  const formatInstant = useInstantFormat();
  return (
    <section aria-labelledby="sessions" className="grid gap-6">
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
              <PostButton
                action="/admin/account"
                intent="end-session"
                fields={{ session: session.id }}
                label="End session"
                describedBy={`session-${session.id}`}
              />
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 ? (
        <PostButton action="/admin/account" intent="end-other-sessions" label="End all other sessions" />
      ) : null}
    </section>
  );
}
