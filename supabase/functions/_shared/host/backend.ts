import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { fetchWithTimeout, isEmptySuccess, refuseEmptySuccess } from "./fetch-with-timeout.ts";
import { realtime } from "./realtime.ts";
import { functionHost, setting } from "./runtime.ts";

/** The backend could not be reached or refused: nothing was stored, trying again is safe. */
export class BackendUnavailable extends Error {
  override name = "BackendUnavailable";
  /** PostgreSQL's or PostgREST's code, fit for a log. */
  readonly code: string;

  constructor(code: string) {
    super(`the backend failed with ${code}`);
    this.code = code;
  }
}

/**
 * Tells a backend that is away from one that refused this call: PostgreSQL's and PostgREST's codes are refusals, but for those of
 * classes 08, 53 and 57 (no connection, no resources, shutting down) and PGRST0xx (no database).
 */
export function isBackendAway(code: string): boolean {
  return !/^(?:[0-9A-Z]{5}|PGRST\d+|unexpected)$/.test(code) || /^(?:08|53|57|PGRST0)/.test(code);
}

/** Codes that say a value is at fault (PostgreSQL, Appendix A, classes 22 and 23): the same call fails for ever. */
export function isValueRefused(code: string): boolean {
  return /^2[23][0-9A-Z]{3}$/.test(code);
}

/**
 * A client with the secret key, which no policy holds back.
 * Plain `createClient` instead of `withSupabase`: these functions check their callers themselves, need no second
 * client, and answer a missing setting like any other failure of the backend.
 * @throws BackendUnavailable when the address or the key is set nowhere
 */
export function secretBackend(): SupabaseClient {
  const url = setting("SUPABASE_URL");
  const [key] = secretKeys();
  if (!url || !key) throw new BackendUnavailable("not-configured");
  const host = functionHost() ?? platform;
  const made = clients.get(host);
  if (made?.url === url && made.key === key) return made.client;
  const client = connect(url, key);
  clients.set(host, { url, key, client });
  return client;
}

/** Stands for a process that runs functions for one project only. */
const platform = {};
/** One a host: to make one takes longer than most calls do, and it keeps nothing of them. */
const clients = new WeakMap<object, { url: string; key: string; client: SupabaseClient }>();

function connect(url: string, key: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchInTime },
    realtime,
  });
}

/** Every secret key of the project: one set by hand, then the platform's named ones, then its older service-role key. */
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
 * A backend that hangs must end as a failure that the visitor is told of. A failure becomes an answer, because
 * auth-js writes whatever a fetch throws to the console.
 */
async function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const answer = await fetchWithTimeout(functionHost()?.fetch ?? fetch, timeoutMs, input, init);
    return (await isEmptySuccess(answer)) ? refuseEmptySuccess() : answer;
  } catch (error) {
    const code = error instanceof Error && error.name === "TimeoutError" ? "timeout" : "unreachable";
    return Response.json({ code, message: "no answer" }, { status: 503 });
  }
}
