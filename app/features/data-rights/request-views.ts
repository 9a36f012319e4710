import { statusPage } from "~/content/privacy/data-rights-links";
import { dataRightsTypeWords } from "~/content/privacy/data-rights-types";
import { formatDay, formatDayOf } from "~/lib/dates";
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
 * @param firm `today`: the current day at the firm (ISO date), to tell overdue requests; `timeZone`: of every day shown
 */
export function toStatusView(status: RequestStatus, firm: { today: string; timeZone: string }): StatusView {
  const dayOf = (instant: string) => formatDayOf(instant, firm.timeZone);
  const { state, received_at, due_on, extended_at, closed_at } = status;
  // Nobody has to confirm it.
  const isComplaint = status.request_type === "complaint" && closed_at === null;
  const isOverdue = closed_at === null && state !== "unconfirmed" && firm.today > due_on;
  const next = isComplaint ? statusPage.complaint.next : statusPage.next[state];
  return {
    ...toConfirmationView(status),
    state: isComplaint && state === "open" ? statusPage.complaint.state : statusPage.states[state],
    received: dayOf(received_at),
    extended: extended_at && dayOf(extended_at),
    closed: closed_at && dayOf(closed_at),
    next: isOverdue ? statusPage.overdue : next,
  };
}
