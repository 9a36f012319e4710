import type { SupabaseClient } from "@supabase/supabase-js";
import type { TestBackend } from "./test-backend.ts";

/** A page of a list, as the admin's functions give it. */
export interface Page {
  rows: Record<string, string>[];
  previous: string | null;
  next: string | null;
}

/**
 * Messages named 1, 2, 3… where 1 is the newest; three of them share each moment.
 * @param more columns by name, in SQL; `n` is the message's number
 */
export async function fillInbox(backend: TestBackend, count: number, more: Record<string, string> = {}): Promise<void> {
  const columns = { name: "n", state: "'new'", quarantine_reason: "null", message: "'Hello'", ...more };
  await backend.sql(
    `insert into public.contact_submissions (email, company, stage, goal, created_at, ${Object.keys(columns).join(", ")})
     select 'a@example.com', 'Engines', 'Growth', 'Scale', now() - (n / 3) * interval '1 minute 3 microseconds',
       ${Object.values(columns).join(", ")} from generate_series(1, $1::int) as n returning 1 as ok`,
    [count],
  );
}

/** The ids of all messages, or of some, as the database has them: newest first. */
export async function idsInOrder(backend: TestBackend, where = "true"): Promise<string[]> {
  const rows = await backend.sql<{ id: string }>(
    `select id from public.contact_submissions where ${where} order by created_at desc, id desc`,
  );
  return rows.map(({ id }) => id);
}

/** Reads a page of the inbox, or of another function that gives a {@link Page}. */
export async function list(
  admin: SupabaseClient,
  parameters: Record<string, unknown> = {},
  name = "read_inbox",
): Promise<Page> {
  const { data } = await admin.rpc(name, parameters).throwOnError();
  return (name === "read_inbox" ? data.page : data) as Page;
}

/** Counts the messages in each folder of the inbox, and the late ones. */
export async function countSubmissions(admin: SupabaseClient): Promise<Record<string, number>> {
  return (await admin.rpc("read_inbox").throwOnError()).data.counts;
}

/** Removes the time from the cursors of a page: it differs each time the list is opened. */
export function withoutMoment<List extends { previous: string | null; next: string | null }>(page: List): List {
  return { ...page, previous: stripMoment(page.previous), next: stripMoment(page.next) };
}

function stripMoment(cursor: string | null): string | null {
  return cursor?.replace(/\.\d+$/, "") ?? null;
}

/** The ids of a page's rows, in their order. */
export function idsOf(page: Page): (string | undefined)[] {
  return page.rows.map(({ id }) => id);
}
