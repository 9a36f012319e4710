import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { fetchWithTimeout, isEmptySuccess, createEmptyBodyFailure } from "./fetch-with-timeout.ts";
import { realtime } from "./realtime.ts";
import { functionHost, setting } from "./runtime.ts";

/** The backend could not be reached or rejected the call. Nothing was stored; a retry is safe. */
export class BackendUnavailable extends Error {
  override name = "BackendUnavailable";
  /** PostgreSQL's or PostgREST's code, safe to log. */
  readonly code: string;

  constructor(code: string) {
    super(`the backend failed with ${code}`);
    this.code = code;
  }
}

/** Returns the code with which a failure is logged. */
export function codeOf(error: unknown): string {
  return error instanceof BackendUnavailable ? error.code : "unexpected";
}

/**
 * Returns true when the code means that the backend is unavailable, not that it rejected this call. PostgreSQL's and
 * PostgREST's codes are rejections, except for classes 08, 53 and 57 (no connection, no resources, shutting down) and
 * PGRST0xx (no database).
 */
export function isBackendAway(code: string): boolean {
  return !/^(?:[0-9A-Z]{5}|PGRST\d+|unexpected)$/.test(code) || /^(?:08|53|57|PGRST0)/.test(code);
}

/**
 * Returns true for codes that reject a value (PostgreSQL, Appendix A, classes 22 and 23): the same call will always
 * fail.
 */
export function isValueRefused(code: string): boolean {
  return /^2[23][0-9A-Z]{3}$/.test(code);
}

/**
 * Returns a client with the secret key, which bypasses row level security. Plain `createClient` instead of
 * `withSupabase`: these functions authenticate their callers themselves, need no second client, and treat a missing
 * setting like any other failure of the backend.
 * @throws BackendUnavailable when the URL or the key is not set
 */
export function secretBackend(): SupabaseClient {
  const url = setting("SUPABASE_URL");
  const [key] = secretKeys();
  if (!url || !key) throw new BackendUnavailable("not-configured");
  const host = functionHost() ?? platform;
  const cached = clients.get(host);
  if (cached?.url === url && cached.key === key) return cached.client;
  const client = connect(url, key);
  clients.set(host, { url, key, client });
  return client;
}

/**
 * Calls a database function with the secret key.
 * @returns its result, whose type the caller knows, or the code of the failure
 * @throws BackendUnavailable when the URL or the key is not set
 */
export async function tryBackend<Result>(
  name: string,
  parameters?: object,
): Promise<{ data: Result; code: null } | { code: string }> {
  const { data, error } = await secretBackend().rpc(name, parameters);
  return error ? { code: error.code || "unreachable" } : { data: data as Result, code: null };
}

/** Calls a database function as {@link tryBackend} does. @throws BackendUnavailable with the code of the failure */
export async function callBackend<Result>(name: string, parameters?: object): Promise<Result> {
  const called = await tryBackend<Result>(name, parameters);
  if (called.code !== null) throw new BackendUnavailable(called.code);
  return called.data;
}

/** Calls a database function that returns one row. With another number of rows the call fails, and changes nothing. */
export async function callForRow<Row>(name: string, parameters?: object): Promise<Row> {
  const { data, error } = await secretBackend().rpc(name, parameters).single<Row>();
  if (error) throw new BackendUnavailable(error.code || "unreachable");
  return data;
}

/**
 * Returns SITE_URL, without which a mail could contain no link.
 * @throws BackendUnavailable when it is not set
 */
export function requireSiteUrl(): string {
  const siteUrl = setting("SITE_URL");
  if (!siteUrl) throw new BackendUnavailable("site-url-not-set");
  return siteUrl;
}

/** Key for a process that runs the functions of one project only. */
const platform = {};
/** One client per host. Creating one takes longer than most calls, and a client keeps no state between calls. */
const clients = new WeakMap<object, { url: string; key: string; client: SupabaseClient }>();

function connect(url: string, key: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchInTime },
    realtime,
  });
}

/**
 * Returns every secret key of the project: the one set manually, then the platform's named ones, then its legacy
 * service-role key.
 */
export function secretKeys(): string[] {
  const keys = [setting("SUPABASE_SECRET_KEY"), ...namedKeys(), setting("SUPABASE_SERVICE_ROLE_KEY")];
  return keys.filter((key) => key !== undefined);
}

function namedKeys(): string[] {
  try {
    const named: unknown = JSON.parse(setting("SUPABASE_SECRET_KEYS") ?? "{}");
    const { default: first, ...others } = named as Record<string, unknown>;
    return [first, ...Object.values(others)].filter((key) => typeof key === "string");
  } catch {
    return [];
  }
}

const timeoutMs = 10_000;

/**
 * Limits each call, so that a hanging backend becomes a failure that the visitor sees. Returns failures as responses,
 * because auth-js writes every error that fetch throws to the console.
 */
async function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetchWithTimeout(functionHost()?.fetch ?? fetch, timeoutMs, input, init);
    return (await isEmptySuccess(response)) ? createEmptyBodyFailure() : response;
  } catch (error) {
    const code = error instanceof Error && error.name === "TimeoutError" ? "timeout" : "unreachable";
    return Response.json({ code, message: "no answer" }, { status: 503 });
  }
}
