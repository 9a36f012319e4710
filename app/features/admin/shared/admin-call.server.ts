import type { SupabaseClient } from "@supabase/supabase-js";
import type { z } from "zod";
import { adminFailure, adminFailures } from "~/content/account/admin";
import type { Log } from "~/server/observability/log.server";

/** Calls the database with the rights of the signed-in admin. */
export interface AdminClient {
  supabase: SupabaseClient;
  log: Log;
}

/** What a function of the database answered, or why it did not. */
export type AdminAnswer<Data> = { ok: true; data: Data } | ({ ok: false } & AdminRefusal);

/** What the admin reads; `providerText` is the database's own message, shown by the inbox only (REQUIREMENTS 9.1). */
export interface AdminRefusal {
  status: number;
  text: string;
  providerText: string;
}

/**
 * Calls a function of the database with the rights of the signed-in admin.
 * @param schema of what it answers; anything else is a defect and throws
 * @param failures its own, by SQLSTATE, beside those of every function
 * @param seen the version of what the admin saw: the database refuses to change another
 */
export async function callAdmin<Schema extends z.ZodType>(
  { supabase, log }: AdminClient,
  name: string,
  parameters: Record<string, unknown>,
  schema: Schema,
  failures: typeof adminFailures = {},
  seen?: string,
): Promise<AdminAnswer<z.output<Schema>>> {
  const call = supabase.rpc(name, parameters);
  const { data, error } = await (seen === undefined ? call : call.setHeader("x-seen-version", seen));
  if (!error) return { ok: true, data: schema.parse(data) };
  const known = failures[error.code] ?? adminFailures[error.code];
  // The text may quote what was typed; the code does not.
  if (!known) log.error({ event: "admin.call-failed", function: name, code: error.code });
  return { ok: false, providerText: error.message, ...(known ?? adminFailure) };
}
