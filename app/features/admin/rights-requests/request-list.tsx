import { formatMediumDay } from "~/lib/dates";
import { useMediumDayFormat } from "~/ui/frame/time-zone";
import { UndeliveredReason } from "../delivery/undelivered-mark";
import { linkWaits } from "../delivery/waiting-mails";
import { requestTypes } from "#supabase/functions/_shared/data-rights-request";
import { requestStates } from "./request-words";
import type { RequestRow } from "./requests.server";
import { describeTimeLeft, isUrgent } from "./time-left";

interface RequestListProps {
  requests: readonly RequestRow[];
  today: string;
}

/**
 * One page of requests. Overdue ones are marked in words, not only by color. Unconfirmed ones wait for their requester,
 * so they are a group of their own.
 */
export function RequestList({ requests, today }: RequestListProps) {
  const unconfirmed = requests.filter(({ state }) => state === "unconfirmed");
  const others = requests.filter(({ state }) => state !== "unconfirmed");
  return (
    <div id="requests" tabIndex={-1} className="grid gap-4 outline-none">
      {others.length === 0 ? null : <Rows requests={others} today={today} />}
      {unconfirmed.length === 0 ? null : (
        <section aria-labelledby="unconfirmed">
          <h3 id="unconfirmed" className="mb-1 text-xl">
            Waiting for confirmation
          </h3>
          <Rows requests={unconfirmed} today={today} />
        </section>
      )}
    </div>
  );
}

function Rows({ requests, today }: RequestListProps) {
  const formatDayOf = useMediumDayFormat();
  return (
    <ul className="inbox-list">
      {requests.map((request) => {
        const { id, state, request_type, name, email, reference, closed_at, due_on, quarantine_reason } = request;
        const time = describeTimeLeft(request, today);
        return (
          <li key={id}>
            <a href={`/admin/requests/${id}`} className="request-row">
              <span className={isUrgent(request, today) ? "request-time is-late" : "request-time"}>
                {time ??
                  (closed_at === null ? requestStates[state] : `${requestStates[state]} ${formatDayOf(closed_at)}`)}
              </span>{" "}
              <span className="request-type">{requestTypes[request_type]}</span>{" "}
              <span className="request-person">
                <bdi>{name}</bdi>, {email}
              </span>{" "}
              <span className="request-state">
                {quarantine_reason === null ? null : "Suspicious, "}
                {time === null ? `received ${formatDayOf(request.received_at)}` : requestStates[state]}
              </span>{" "}
              <span className="request-due">{closed_at === null ? `due ${formatMediumDay(due_on)}` : null}</span>{" "}
              <span className="request-reference">{reference}</span>
            </a>
            <UndeliveredReason {...request} />
            {request.link_waits ? <p className="mb-3 font-semibold">{linkWaits}</p> : null}
          </li>
        );
      })}
    </ul>
  );
}
