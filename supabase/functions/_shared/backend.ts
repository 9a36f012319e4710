import { createClient, type SupabaseClient } from "@supabase/supabase-js";
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
 * A client with the secret key, which no policy holds back.
 * Plain `createClient` instead of `withSupabase`: these functions check their callers themselves, need no second
 * client, and answer a missing setting like any other failure of the backend.
 * @throws BackendUnavailable when the address or the key is set nowhere
 */
export function secretBackend(): SupabaseClient {
  const url = setting("SUPABASE_URL");
  const [key] = secretKeys();
  if (!url || !key) throw new BackendUnavailable("not-configured");
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchInTime },
    realtime: { transport: noRealtime as unknown as typeof WebSocket },
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

const longestWaitMs = 10_000;

/**
 * A backend that hangs must end as a failure that the visitor is told of. A failure becomes an answer, because
 * auth-js writes whatever a fetch throws to the console.
 */
async function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const reach = functionHost()?.fetch ?? fetch;
  // A timer of our own: Node 20 may collect `AbortSignal.any([AbortSignal.timeout(…)])` before it fires.
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, longestWaitMs);
  init?.signal?.addEventListener("abort", abort, { once: true });
  try {
    return await reach(input, { ...init, signal: controller.signal });
  } catch {
    const code = controller.signal.aborted ? "timeout" : "unreachable";
    return Response.json({ code, message: "no answer" }, { status: 503 });
  } finally {
    clearTimeout(timer);
    init?.signal?.removeEventListener("abort", abort);
  }
}

/** Without a WebSocket class, which Node 20 lacks, supabase-js refuses to start. The functions never open one. */
function noRealtime(): never {
  throw new Error("the functions open no realtime connection");
}
