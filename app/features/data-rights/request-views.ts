import { statusPage } from "~/content/privacy/data-rights-links";
import { dataRightsTypeWords } from "~/content/privacy/data-rights-types";
import { formatDay, formatDayOf } from "~/lib/dates";
import type { RequestStatus } from "./links.server";

/** Describes an unconfirmed data rights request in words. */
export function toConfirmationView({ request_type, reference, due_on }: RequestStatus) {
  return { type: dataRightsTypeWords[request_type], reference, due: formatDay(due_on) };
}

/**
 * Describes the status of a data rights request in words. Days are null if absent.
 * @param firm `today`: the current day at the firm (ISO date), to detect overdue requests; `timeZone`: zone of all days
 */
export function toStatusView(status: RequestStatus, firm: { today: string; timeZone: string }) {
  const dayOf = (instant: string) => formatDayOf(instant, firm.timeZone);
  const { state, received_at, due_on, extended_at, closed_at } = status;
  // A complaint needs no confirmation.
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

/** A data rights request as its pages show it; on the confirmation page, without its status. */
export type RequestView = ReturnType<typeof toConfirmationView> & Partial<StatusView>;

/** A data rights request on the status page. */
export type StatusView = ReturnType<typeof toStatusView>;
