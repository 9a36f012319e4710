import { z } from "zod";
import { type AdminClient, type AdminResult, readList } from "../shared/admin-call.server";
import { type SubmissionFilter, listUrl } from "../shared/filters";
import type { ListQuery } from "../shared/list-query.server";
import { submissionPageSchema } from "./submissions.server";

const neighborSchema = z.object({ id: z.uuid(), name: z.string() }).nullable();

const neighborsSchema = z.object({
  /** false once the message has left the list */
  is_listed: z.boolean(),
  /** messages in the list; null for a search */
  count: z.number().nullable(),
  previous: neighborSchema,
  next: neighborSchema,
  /** cursor of the page that begins after the message */
  cursor: z.string(),
});

/** Position of a message in a list. */
export type Neighbors = z.output<typeof neighborsSchema>;

type Place = ListQuery<SubmissionFilter>;

/** Finds the messages before and after one in a list. `data` is null if the message does not exist. */
export function findNeighbors(client: AdminClient, id: string, place: Place): Promise<AdminResult<Neighbors | null>> {
  const list = { ...place, cursor: null };
  return readList(client, "find_neighbors", list, neighborsSchema.nullable(), { submission_id: id });
}

/**
 * Builds the address of the list after a change, with the message to open as its fragment: browsers open the
 * `<details>` around it, and Tab continues there.
 * @param id the changed message, whose name the notice shows
 * @param open id of the message to open; null for none
 * @param cursor of the page that begins with `open`, in case the current page does not show it
 */
export async function findListAddress(
  client: AdminClient,
  place: Place,
  { id, open, cursor }: { id: string; open: string | null; cursor: string | null },
): Promise<string> {
  const page =
    open === null ? null : await readList(client, "read_inbox", place, z.object({ page: submissionPageSchema }));
  const isShown = page?.ok === true && page.data.page.rows.some((row) => row.id === open);
  const address = listUrl("/admin", isShown || cursor === null ? place : { ...place, cursor });
  return `${address}&changed=${id}${open !== null && (isShown || cursor !== null) ? `#m-${open}` : ""}`;
}
