import type { DataRightsRequestRecord } from "./requests.server";

/** What an admin may do with a request (the table in supabase/migrations, data_rights_requests). */
export interface PossibleActions {
  startWork: boolean;
  note: boolean;
  extend: boolean;
  package: boolean;
  complete: boolean;
  refuse: boolean;
  resend: boolean;
  erase: boolean;
  restrict: boolean;
  lift: boolean;
}

/**
 * Which actions the page offers; the database decides again when one is used.
 * @param today ISO date in UTC
 */
export function listPossibleActions(request: DataRightsRequestRecord, today: string): PossibleActions {
  const { state, request_type: type } = request;
  const isWorkedOn = state === "open" || state === "in_progress";
  const asksFor = (...types: string[]) => types.includes(type);
  return {
    startWork: state === "open",
    note: true,
    extend: isWorkedOn && request.extension_reason === null && today < request.due_on,
    package: isWorkedOn || state === "completed",
    complete: isWorkedOn,
    refuse: isWorkedOn || state === "unconfirmed",
    resend: state === "unconfirmed",
    erase: isWorkedOn && asksFor("erasure", "object", "other"),
    restrict: isWorkedOn && request.frozen_at === null && asksFor("restrict", "object", "rectification", "other"),
    lift: request.frozen_at !== null,
  };
}
