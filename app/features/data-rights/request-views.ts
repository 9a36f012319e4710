import { statusPage } from "~/content/privacy/data-rights-links";
import { dataRightsTypeWords } from "~/content/privacy/data-rights-types";
import { formatDay } from "~/lib/dates";
import type { Confirmation, RequestStatus } from "./links.server";

/** What the confirmation page shows of a request; all in words. */
export interface ConfirmationView {
  type: string;
  reference: string;
  due: string;
}

/** What the status page shows of a request; days in words, null where there is none. */
export interface StatusView extends ConfirmationView {
  state: string;
  received: string;
  extended: string | null;
  closed: string | null;
  next: string;
}

/** A request that waits to be confirmed, in words. */
export function toConfirmationView({ request_type, reference, due_on }: Confirmation): ConfirmationView {
  return { type: dataRightsTypeWords[request_type], reference, due: formatDay(due_on) };
}

/**
 * How far a request is, in words.
 * @param now tells whether the day on which it was due has passed (in UTC, as the day was set)
 */
export function toStatusView(status: RequestStatus, now: Date): StatusView {
  const { state, received_at, due_on, extended_at, closed_at } = status;
  // Nobody has to confirm it.
  const isComplaint = status.request_type === "complaint" && closed_at === null;
  const isOverdue = closed_at === null && state !== "unconfirmed" && now.toISOString().slice(0, 10) > due_on;
  const next = isComplaint ? statusPage.complaint.next : statusPage.next[state];
  return {
    ...toConfirmationView(status),
    state: isComplaint && state === "open" ? statusPage.complaint.state : statusPage.states[state],
    received: formatDay(received_at),
    extended: extended_at && formatDay(extended_at),
    closed: closed_at && formatDay(closed_at),
    next: isOverdue ? statusPage.overdue : next,
  };
}
