import { randomUUID } from "node:crypto";
import type { Admin } from "./admin.ts";
import type { Calls, TestBackend } from "./test-backend.ts";

/** A page of a list, as the admin functions return it. */
export interface Page {
  rows: Record<string, string>[];
  previous: string | null;
  next: string | null;
}

/**
 * Inserts messages named 1, 2, 3…, of which 1 is the newest; three of them share each time.
 * @param more SQL expressions of further columns by name; `n` is the number in the message's name
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

/** Returns the ids of all messages, or of those that match, newest first. */
export async function readIdsInOrder(backend: TestBackend, where = "true"): Promise<string[]> {
  const rows = await backend.sql<{ id: string }>(
    `select id from public.contact_submissions where ${where} order by created_at desc, id desc`,
  );
  return rows.map(({ id }) => id);
}

/** Reads a page of the inbox, or of another function that returns a {@link Page}. */
export async function list(admin: Calls, parameters: Record<string, unknown> = {}, name = "read_inbox"): Promise<Page> {
  const { data } = await admin.rpc(name, parameters).throwOnError();
  return (data.page ?? data) as Page;
}

/**
 * Reads the pages of a list from the first one on.
 * @param afterFirst runs between the first page and the second
 */
export async function readAllPages(
  admin: Calls,
  parameters: Record<string, unknown>,
  name = "read_inbox",
  afterFirst?: (first: Page) => Promise<void>,
): Promise<Page[]> {
  const pages = [await list(admin, parameters, name)];
  await afterFirst?.(pages[0]!);
  while (pages.at(-1)!.next) pages.push(await list(admin, { ...parameters, page_cursor: pages.at(-1)!.next }, name));
  return pages;
}

/** Counts the messages in each folder of the inbox, and the late ones. */
export async function countSubmissions(admin: Calls): Promise<Record<string, number>> {
  return (await admin.rpc("read_inbox").throwOnError()).data.counts;
}

/** Removes the time from the cursors of a page, because it differs each time a list is opened. */
export function dropCursorTimes<List extends { previous: string | null; next: string | null }>(page: List): List {
  return { ...page, previous: dropCursorTime(page.previous), next: dropCursorTime(page.next) };
}

const dropCursorTime = (cursor: string | null) => cursor?.replace(/\.\d+$/, "") ?? null;

/** Returns the ids of a page's rows in order. */
export function idsOf(page: Page): (string | undefined)[] {
  return page.rows.map(({ id }) => id);
}

/** Returns the actions in a message's log, in order. */
export async function readMessageActions({ sql }: TestBackend, id: string): Promise<string[]> {
  const log = "select action from public.admin_events where submission_id = $1 order by id";
  return (await sql<{ action: string }>(log, [id])).map(({ action }) => action);
}

/** The mail of a reply, as the page passes it. */
export const replyMail = { subject: "Re: Your message", quotation: "You wrote:\n> Please call me." };

/** Replies to a message as an admin. Returns whether the reply is new, or an SQLSTATE. */
export function sendReply(admin: Admin, submission_id: string, changes: Record<string, unknown> = {}, seen?: number) {
  const reply = { submission_id, reply_id: randomUUID(), reply: "We can.", mail: replyMail, ...changes };
  return admin.call("send_reply", reply, seen);
}
