import { createServerClient, parseCookieHeader, serializeCookieHeader } from "@supabase/ssr";
import { type SupabaseClient, createClient } from "@supabase/supabase-js";
import { getBackend } from "./backend.server";
import { cookieAttributes, cookieName } from "./cookies.server";
import { timedFetch } from "./timed-fetch.server";

/** Node 20 has no WebSocket of its own, and supabase-js refuses to be made without one; this site listens to nothing. */
class NoRealtime {
  constructor() {
    throw new Error("This site does not use realtime.");
  }
}
const realtime = { transport: NoRealtime as unknown as typeof WebSocket };

/** A client with an anonymous visitor's rights; it keeps nothing between calls. */
export async function createVisitorClient(): Promise<SupabaseClient> {
  const backend = await getBackend();
  return createClient(backend.url, backend.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: timedFetch(backend.fetch) },
    realtime,
  });
}

/** A client with the rights of whoever is signed in by the request's cookies. */
export interface SessionClient {
  supabase: SupabaseClient;
  /** `Set-Cookie` values that the answer must carry: a refreshed session, or the removal of a dead one */
  setCookies: string[];
}

/** No page of the admin area may keep a person waiting longer than this for the backend, retries included. */
const sessionDeadlineMs = 4_000;

/**
 * Opens the session of a request. Make one client a request: each would refresh an expired session again, and a refresh
 * token used twice ends the whole session.
 *
 * The library removes a session that cannot be refreshed and retries a refresh that can (200 ms, doubling); the
 * deadline ends those retries without a late refresh whose cookies nobody would receive.
 */
export async function openSession(request: Request): Promise<SessionClient> {
  const backend = await getBackend();
  const setCookies: string[] = [];
  const supabase = createServerClient(backend.url, backend.publishableKey, {
    cookieOptions: { name: cookieName("adminSession"), ...cookieAttributes("adminSession") },
    cookies: {
      getAll: () =>
        parseCookieHeader(request.headers.get("cookie") ?? "").map(({ name, value }) => ({ name, value: value ?? "" })),
      setAll: (changes) => {
        for (const { name, value, options } of changes) {
          const attributes = cookieAttributes("adminSession");
          const maxAge = options.maxAge === 0 ? 0 : attributes.maxAge;
          setCookies.push(serializeCookieHeader(name, value, { ...attributes, maxAge }));
        }
      },
    },
    global: { fetch: timedFetch(backend.fetch, AbortSignal.timeout(sessionDeadlineMs)) },
    realtime,
  });
  return { supabase, setCookies };
}
