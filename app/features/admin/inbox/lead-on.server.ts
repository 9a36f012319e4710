import type { MessageKey } from "~/content/messages";
import type { AdminClient, AdminResult } from "../shared/admin-call.server";
import { type SubmissionFilter, listUrl } from "../shared/filters";
import type { ListQuery } from "../shared/list-query.server";
import { type SubmissionChange, changeSubmission, deleteSpam } from "./change-submission.server";
import { findListAddress, findNeighbors } from "./neighbors.server";

type Place = ListQuery<SubmissionFilter>;

/**
 * Remembers where a message is before it changes.
 * @returns a function that finds the address of the list with the message to open next: after a finished message the
 *   next one, or the last of the list, and after any other change the same, while the list holds it
 */
export async function rememberPlace(client: AdminClient, place: Place, id: string) {
  const found = await findNeighbors(client, id, place);
  const before = found.ok && found.data?.is_listed ? found.data : null;
  return async (isFinished: boolean): Promise<string> => {
    const after = isFinished ? null : await findNeighbors(client, id, place);
    if (after?.ok && after.data?.is_listed) return findListAddress(client, place, { id, open: id, cursor: null });
    if (before?.next) return findListAddress(client, place, { id, open: before.next.id, cursor: before.cursor });
    return findListAddress(client, place, { id, open: before?.previous?.id ?? null, cursor: null });
  };
}

/** Changes a message, or deletes the spam of a page. The result has the message for the next page, and the address of that page. */
export async function changeAndLeadOn(
  client: AdminClient,
  place: Place,
  change: SubmissionChange | { intent: "deleteSpam"; ids: string[] },
): Promise<AdminResult<{ key: MessageKey; address: string }>> {
  if (change.intent === "deleteSpam") {
    const deleted = await deleteSpam(client, change.ids);
    return deleted.ok ? { ok: true, data: { key: deleted.data, address: listUrl("/admin", place) } } : deleted;
  }
  const findNext = await rememberPlace(client, place, change.id);
  const done = await changeSubmission(client, change);
  const isFinished = change.intent === "delete" || change.state === "done" || change.state === "spam";
  return done.ok ? { ok: true, data: { key: done.data, address: await findNext(isFinished) } } : done;
}
