import type { AdminClient } from "../shared/admin-call.server";
import { type AdminState, readAdminState } from "../shared/admin-state.server";
import type { SubmissionFilter } from "../shared/filters";
import { type ListPlace, type Submission, countSubmissions, listSubmissions } from "./submissions.server";

/** Everything the list of messages shows; `failed` carries the provider's own words (REQUIREMENTS 9.1). */
export type Inbox = ({ outcome: "loaded" } & LoadedInbox) | { outcome: "failed"; text: string };

/** A page of messages and what stands around it. */
export interface LoadedInbox extends ListPlace {
  submissions: Submission[];
  previous: string | null;
  next: string | null;
  counts: Record<SubmissionFilter, number>;
  state: AdminState;
}

/** Reads a page of the inbox with the rights of the signed-in admin. */
export async function loadInbox(client: AdminClient, place: ListPlace): Promise<Inbox> {
  const [page, counts, state] = await Promise.all([
    listSubmissions(client, place),
    countSubmissions(client),
    readAdminState(client),
  ]);
  if (!page.ok) return { outcome: "failed", text: page.providerText };
  if (!counts.ok) return { outcome: "failed", text: counts.providerText };
  if (!state.ok) return { outcome: "failed", text: state.providerText };
  const { rows, previous, next } = page.data;
  return { outcome: "loaded", ...place, submissions: rows, previous, next, counts: counts.data, state: state.data };
}
