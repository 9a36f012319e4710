import type { PostgrestError, SupabaseClient } from "@supabase/supabase-js";
import type { z } from "zod";
import type { Log } from "~/server/observability/log.server";

/** Calls the database with the rights of the signed-in admin. */
export interface AdminClient {
  supabase: SupabaseClient;
  log: Log;
}

/** What a function of the database answered, or why it did not. */
export type AdminResult<Data> = { ok: true; data: Data } | ({ ok: false } & AdminRefusal);

/** What the admin reads; `providerText` is the database's own message, shown by the inbox only (REQUIREMENTS 9.1). */
export interface AdminRefusal {
  status: number;
  text: string;
  providerText: string;
}

/** Answers to an admin whose change could not be made, by SQLSTATE (supabase/migrations). */
const adminFailures: Readonly<Record<string, { status: number; text: string }>> = {
  "55000": { status: 409, text: "That is no longer possible. Somebody may have changed it in the meantime." },
  "55006": {
    status: 409,
    text: "This person has asked for their data. Nothing of it can be deleted until that request is answered (see Data rights requests).",
  },
  PT409: {
    status: 409,
    text: "Somebody changed this while the page was open, so nothing was done. It is shown here as it is now: if you still want to, press the button again.",
  },
  P0002: { status: 404, text: "It no longer exists. Somebody may have deleted it in the meantime." },
  "22023": { status: 400, text: "Something is missing or too long. Check what you entered and try again." },
};

/** For every other failure. */
const adminFailure = { status: 503, text: "Something went wrong. Try again in a minute." };

/**
 * Reads by a function of the database that is `stable`, with the rights of the signed-in admin. A read is a GET, which is tried again
 * after a broken connection (docs/decisions/backend/0018-backend-trouble.md).
 * @param parameters stand in the URL, which projects log: ids, days and names of filters, and never a person's data or what was searched for
 * @param schema of the result; anything else is a defect and throws
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
 * Reads a page of a list: by GET, or with a search by POST, which is not tried again. What is searched for may be somebody's name, and
 * no URL may hold it.
 */
export function readList<Schema extends z.ZodType>(
  client: AdminClient,
  name: string,
  { filter, search, cursor }: { filter: string; search: string | null; cursor: string | null },
  schema: Schema,
): Promise<AdminResult<z.output<Schema>>> {
  const place = { folder: filter, page_cursor: cursor ?? undefined };
  return search === null
    ? readAdmin(client, name, place, schema)
    : callAdmin(client, name, { ...place, search }, schema);
}

/**
 * Calls a function of the database with the rights of the signed-in admin.
 * @param schema of what it answers; anything else is a defect and throws
 * @param failures its own, by SQLSTATE, beside those of every function
 * @param seen the version of what the admin saw: the database refuses to change another
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
  { log }: AdminClient,
  name: string,
  { data, error }: { data: unknown; error: PostgrestError | null },
  schema: Schema,
  failures: typeof adminFailures = {},
): AdminResult<z.output<Schema>> {
  if (!error) return { ok: true, data: schema.parse(data) };
  const known = failures[error.code] ?? adminFailures[error.code];
  // The text may quote what was typed; the code does not.
  if (!known) log.error({ event: "admin.call-failed", function: name, code: error.code });
  return { ok: false, providerText: error.message, ...(known ?? adminFailure) };
}
