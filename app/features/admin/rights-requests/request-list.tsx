import { formatDay } from "~/lib/dates";
import { useInstantFormat } from "~/ui/frame/time-zone";
import { UndeliveredReason } from "../delivery/undelivered-mark";
import { requestStates, requestTypes } from "./request-words";
import type { RequestRow } from "./requests.server";
import { describeTimeLeft, isUrgent } from "./time-left";

/** One page of requests. Overdue ones are marked in words, not only by color. */
export function RequestList({ requests, today }: { requests: readonly RequestRow[]; today: string }) {
  const formatInstant = useInstantFormat();
  return (
    <ul className="grid gap-4">
      {requests.map((request) => (
        <li key={request.id}>
          <article
            aria-labelledby={`request-${request.id}`}
            className="rounded-xl border border-(--line) bg-(--raised) px-4 py-3 sm:p-6"
          >
            <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
              <h3 id={`request-${request.id}`} className="text-xl">
                <a href={`/admin/requests/${request.id}`} className="inline-block py-2.5 whitespace-nowrap">
                  {`${requestTypes[request.request_type]}, ${request.reference}`}
                </a>
              </h3>
              <p className={isUrgent(request, today) ? "font-semibold text-(--danger)" : "text-(--muted)"}>
                {describeDue(request, today)} <span className="whitespace-nowrap">{formatDay(request.due_on)}</span>
              </p>
            </div>
            <p className="wrap-anywhere">
              <bdi>{request.name}</bdi>, {request.email}
            </p>
            <p className="text-(--muted)">
              {`${requestStates[request.state]}, received `}
              <span className="whitespace-nowrap">{formatInstant(request.received_at)}</span>
            </p>
            <UndeliveredReason {...request} />
            {request.quarantine_reason === null ? null : (
              <p className="text-(--muted)">
                Suspicious: the form’s hidden field was filled in. The deadline still applies.
              </p>
            )}
          </article>
        </li>
      ))}
    </ul>
  );
}

function describeDue(request: RequestRow, today: string): string {
  const time = describeTimeLeft(request, today);
  if (time === null) return "Was due";
  return time === "Due today" ? `${time},` : `${time}, due`;
}
