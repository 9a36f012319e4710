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
