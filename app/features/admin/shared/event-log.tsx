import { useInstantFormat } from "~/ui/frame/time-zone";

/** Entries of a log, and the words for their actions and actors. */
export interface EventLogProps {
  events: readonly { at: string; action: string; actor: string | null; actor_kind: string; note: string | null }[];
  actions: Readonly<Record<string, string>>;
  actors: Readonly<Record<string, string>>;
}

/** The log of a request or member, oldest first. */
export function EventLog({ events, actions, actors }: EventLogProps) {
  const formatInstant = useInstantFormat();
  return (
    <ol className="mt-3 grid gap-3">
      {events.map(({ at, action, actor, actor_kind, note }) => (
        <li key={`${at} ${action}`} className="border-t border-(--line) pt-3">
          <p className="wrap-anywhere">
            {[actions[action] ?? action, formatInstant(at), actor ?? actors[actor_kind]].join(", ")}
          </p>
          {note === null ? null : (
            <p className="wrap-anywhere whitespace-pre-wrap" dir="auto">
              {note}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
