import { adminRequestsPage } from "~/content/account/admin-requests";
import { formatDay } from "~/lib/dates";
import { useInstantFormat } from "~/ui/frame/time-zone";
import type { DataRightsRequestRecord } from "./requests.server";

/** One data rights request with its log and its emails. */
export function RequestFacts({ request }: { request: DataRightsRequestRecord }) {
  const formatInstant = useInstantFormat();
  const { details, types, states, overdue, restricted, suspicious, history, events, mailStates } = adminRequestsPage;
  const facts: [string, string | null][] = [
    [details.type, types[request.request_type]],
    [details.state, states[request.state]],
    [details.due, `${formatDay(request.due_on)}${request.is_overdue ? ` (${overdue.toLowerCase()})` : ""}`],
    [details.received, formatInstant(request.received_at)],
    [details.confirmed, request.confirmed_at && formatInstant(request.confirmed_at)],
    [details.confirmationEnds, request.confirmation_expires_at && formatInstant(request.confirmation_expires_at)],
    [details.extended, request.extension_reason],
    [details.restrictionEnds, request.restriction_ends_on && formatDay(request.restriction_ends_on)],
    [details.closed, request.closed_at && formatInstant(request.closed_at)],
    [details.name, request.name],
    [details.email, request.email],
    [details.description, request.description],
  ];
  return (
    <>
      {request.frozen_at === null ? null : <p className="font-semibold">{restricted}</p>}
      {request.quarantine_reason === null ? null : <p className="font-semibold">{suspicious}</p>}
      <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {facts.map(([term, value]) =>
          value === null ? null : (
            <div key={term} className={term === details.description ? "sm:col-span-2" : undefined}>
              <dt className="text-sm text-(--muted)">{term}</dt>
              <dd className="wrap-anywhere whitespace-pre-wrap">
                {term === details.description ? <div dir="auto">{value}</div> : <bdi>{value}</bdi>}
              </dd>
            </div>
          ),
        )}
      </dl>
      <section aria-labelledby="history">
        <h3 id="history" className="text-xl">
          {history.title}
        </h3>
        <ol className="mt-3 grid gap-3">
          {request.events.map((event) => (
            <li key={`${event.at} ${event.action}`} className="border-t border-(--line) pt-3">
              <p>
                {[
                  events[event.action] ?? event.action,
                  formatInstant(event.at),
                  // Which admin: the beginning of the account's id is enough to tell them apart.
                  event.actor ? `${history.by.admin} ${event.actor.slice(0, 8)}` : history.by[event.actor_kind],
                ].join(", ")}
              </p>
              {event.note === null ? null : (
                <p className="wrap-anywhere whitespace-pre-wrap" dir="auto">
                  {event.note}
                </p>
              )}
            </li>
          ))}
        </ol>
      </section>
      {request.mails.length === 0 ? null : (
        <section aria-labelledby="mails">
          <h3 id="mails" className="text-xl">
            {history.mails}
          </h3>
          <ul className="mt-3 grid gap-2">
            {request.mails.map((mail) => (
              <li key={`${mail.created_at} ${mail.subject}`}>
                {`${mail.subject}: ${mail.delivered_at ? mailStates.delivered : mail.gave_up_at ? mailStates.givenUp : mailStates.waiting}`}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
