import { createServerClient, serializeCookieHeader } from "@supabase/ssr";
import { type SupabaseClient, createClient } from "@supabase/supabase-js";
import { getBackend } from "./backend.server";
import { cookieAttributes, cookieName } from "./cookies.server";
import { reachBackend } from "./reach-backend.server";
import { readCookies } from "./request-cookies.server";
import { waitUntil } from "./timed-fetch.server";

/** Node 20 has no WebSocket of its own, and supabase-js refuses to be made without one; this site listens to nothing. */
function noRealtime(): never {
  throw new Error("This site opens no realtime connection.");
}
const realtime = { transport: noRealtime as unknown as typeof WebSocket };

/**
 * postgrest-js tries a failed GET three times more, after 1, 2 and 4 seconds: longer than a visitor waits, and on top of
 * the retries that `reachBackend` makes. supabase-js passes no option through to turn that off.
 */
function withoutOwnRetries(supabase: SupabaseClient): SupabaseClient {
  supabase["rest"].retry = false;
  return supabase;
}

/** A client with an anonymous visitor's rights; it keeps nothing between calls. */
export async function createVisitorClient(): Promise<SupabaseClient> {
  const backend = await getBackend();
  const supabase = createClient(backend.url, backend.publishableKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: reachBackend(backend) },
    realtime,
  });
  return withoutOwnRetries(supabase);
}

/** A client with the rights of whoever is signed in by the request's cookies. */
export interface SessionClient {
  supabase: SupabaseClient;
  /** `Set-Cookie` values that the answer must carry: a refreshed session, or the removal of a dead one */
  setCookies: string[];
  /** waits for a call of this client, but no longer than the request's deadline allows */
  wait<T>(work: PromiseLike<T>): Promise<T>;
}

/** No page of the admin area may keep a person waiting longer than this for the backend, retries included. */
const sessionDeadlineMs = 4_000;

/**
 * Opens the session of a request. Make one client a request: each would refresh an expired session again, and a refresh
 * token used twice ends the whole session.
 *
 * The library removes a session that cannot be refreshed and retries a refresh that can (200 ms, doubling) for half a
 * minute; after the deadline its calls go nowhere, so that no session is renewed whose cookies nobody would receive.
 */
export async function openSession(request: Request, patienceMs = sessionDeadlineMs): Promise<SessionClient> {
  const backend = await getBackend();
  const deadline = performance.now() + patienceMs;
  const setCookies: string[] = [];
  const supabase = createServerClient(backend.url, backend.publishableKey, {
    cookieOptions: { name: cookieName("adminSession"), ...cookieAttributes("adminSession") },
    cookies: {
      getAll: () => readCookies(request),
      setAll: (changes) => {
        for (const { name, value, options } of changes)
          setCookies.push(sessionCookie(name, value, options.maxAge === 0));
      },
    },
    global: { fetch: reachBackend(backend, deadline) },
    realtime,
  });
  withoutOwnRetries(supabase);
  return { supabase, setCookies, wait: (work) => waitUntil(deadline, Promise.resolve(work)) };
}

/** The `Set-Cookie` values that remove the session from this browser, whatever the backend says. */
export function dropSession(request: Request): string[] {
  const name = cookieName("adminSession");
  return readCookies(request)
    .filter((cookie) => cookie.name === name || cookie.name.startsWith(`${name}.`))
    .map((cookie) => sessionCookie(cookie.name, "", true));
}

function sessionCookie(name: string, value: string, isRemoved: boolean): string {
  const attributes = cookieAttributes("adminSession");
  return serializeCookieHeader(name, value, isRemoved ? { ...attributes, maxAge: 0 } : attributes);
}
