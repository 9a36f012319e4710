import type { PostgrestError, SupabaseClient } from "@supabase/supabase-js";
import type { z } from "zod";
import type { Log } from "~/server/observability/log.server";
import { type UnreadableIds, parseReadable } from "./readable-rows.server";

/** Client that calls the database with the rights of the signed-in admin. */
export interface AdminClient {
  supabase: SupabaseClient;
  log: Log;
  /** collects the rows that calls left out, for the page to show as such */
  unreadable: UnreadableIds;
}

/** Result of a database function, or its refusal. */
export type AdminResult<Data> = { ok: true; data: Data } | ({ ok: false } & AdminRefusal);

/**
 * A refusal with the text for the admin. `providerText` is the database's own message, which only the inbox shows
 * (REQUIREMENTS 9.1).
 */
export interface AdminRefusal {
  status: number;
  text: string;
  providerText: string;
}

/** Texts for an admin whose change was refused, by SQLSTATE (supabase/migrations). */
const adminFailures: Readonly<Record<string, { status: number; text: string }>> = {
  "55000": { status: 409, text: "That is no longer possible. Someone may have changed it in the meantime." },
  "55006": {
    status: 409,
    text: "This person has asked for their data. Answer that request first (see Requests). Until then, you can’t delete any of it.",
  },
  PT409: {
    status: 409,
    text: "Someone changed this while the page was open, so nothing was done. This is the current version. To go ahead anyway, press the button again.",
  },
  P0002: { status: 404, text: "It no longer exists. Someone may have deleted it in the meantime." },
  "22023": { status: 400, text: "Something is missing or too long. Check what you entered and try again." },
};

/** Text for every other failure. */
const adminFailure = { status: 503, text: "Something went wrong. Try again in a minute." };

/**
 * Reads with a `stable` database function and the rights of the signed-in admin. A read is a GET, which is retried
 * after a broken connection (docs/decisions/0018-backend-trouble.md).
 * @param parameters become part of the URL, which hosted projects log: ids, days and filter names only, never personal
 *   data or a search term
 * @param schema of the result. Rows that do not match are left out and collected; anything else is a defect and throws
 */
export async function readAdmin<Schema extends z.ZodType>(
  client: AdminClient,
  name: string,
  parameters: Record<string, string | boolean | undefined>,
  schema: Schema,
): Promise<AdminResult<z.output<Schema>>> {
  return settle(client, name, await client.supabase.rpc(name, parameters, { get: true }), schema);
}

/**
 * Reads a page of a list, or a place in it, by GET. A search uses POST, which is not retried, because a search term may
 * be a person's name and must not be in a URL.
 * @param more parameters besides the folder, the search and the cursor
 */
export function readList<Schema extends z.ZodType>(
  client: AdminClient,
  name: string,
  { filter, search, cursor }: { filter: string; search: string | null; cursor: string | null },
  schema: Schema,
  more: Record<string, string> = {},
): Promise<AdminResult<z.output<Schema>>> {
  const place = { ...more, folder: filter, page_cursor: cursor ?? undefined };
  return search === null
    ? readAdmin(client, name, place, schema)
    : callAdmin(client, name, { ...place, search }, schema);
}

/**
 * Calls a database function with the rights of the signed-in admin.
 * @param schema as {@link readAdmin}
 * @param failures of this function, by SQLSTATE, in addition to the common ones
 * @param seen version that the admin saw; the database refuses to change any other
 */
export async function callAdmin<Schema extends z.ZodType>(
  client: AdminClient,
  name: string,
  parameters: Record<string, unknown>,
  schema: Schema,
  failures: typeof adminFailures = {},
  seen?: string,
): Promise<AdminResult<z.output<Schema>>> {
  const call = client.supabase.rpc(name, parameters);
  const result = await (seen === undefined ? call : call.setHeader("x-seen-version", seen));
  return settle(client, name, result, schema, failures);
}

function settle<Schema extends z.ZodType>(
  { log, unreadable }: AdminClient,
  name: string,
  { data, error }: { data: unknown; error: PostgrestError | null },
  schema: Schema,
  failures: typeof adminFailures = {},
): AdminResult<z.output<Schema>> {
  if (!error) {
    const readable = parseReadable(schema, data);
    const count = readable.unreadable.length;
    if (count > 0) log.error({ event: "admin.row-unreadable", function: name, count });
    unreadable.push(...readable.unreadable.filter((id) => id === null || !unreadable.includes(id)));
    return { ok: true, data: readable.data };
  }
  const known = failures[error.code] ?? adminFailures[error.code];
  // Logs only the code: the text may quote what was typed.
  if (!known) log.error({ event: "admin.call-failed", function: name, code: error.code });
  return { ok: false, providerText: error.message, ...(known ?? adminFailure) };
}
