import { createServerClient } from "@supabase/ssr";
import { type SupabaseClient, createClient } from "@supabase/supabase-js";
import { stringifySetCookie } from "cookie";
import { realtime } from "#supabase/functions/_shared/realtime";
import { getBackend } from "./backend.server";
import { cookieAttributes, cookieName } from "./cookies.server";
import { reachBackend } from "./reach-backend.server";
import { type SessionCookie, readSessionCookie } from "./session-cookie.server";
import { waitUntil } from "./timed-fetch.server";

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
 * Cookies that cannot be a session are removed, and the library does not see them.
 */
export function openSession(request: Request, patienceMs = sessionDeadlineMs): Promise<SessionClient> {
  return makeSessionClient(readSessionCookie(request), patienceMs);
}

/** As {@link openSession}, for signing in: whatever session the request carries is not looked at, and removed. */
export function beginSession(request: Request): Promise<SessionClient> {
  return makeSessionClient({ ...readSessionCookie(request), session: null }, sessionDeadlineMs);
}

async function makeSessionClient({ session, names }: SessionCookie, patienceMs: number): Promise<SessionClient> {
  const backend = await getBackend();
  const deadline = performance.now() + patienceMs;
  const name = cookieName("adminSession");
  const setCookies = session === null ? names.map((stale) => sessionCookie(stale, "", true)) : [];
  // Whole and decoded, as the library accepts it; names without a value are chunks for it to remove.
  const cookies =
    session === null ? [] : [{ name, value: session }, ...names.filter((other) => other !== name).map(withoutValue)];
  const supabase = createServerClient(backend.url, backend.publishableKey, {
    cookieOptions: { name, ...cookieAttributes("adminSession") },
    cookies: {
      getAll: () => cookies,
      setAll: (changes) => {
        for (const { name: changed, value, options } of changes) {
          const earlier = setCookies.findIndex((line) => line.startsWith(`${changed}=`));
          if (earlier !== -1) setCookies.splice(earlier, 1);
          setCookies.push(sessionCookie(changed, value, options.maxAge === 0));
        }
      },
    },
    global: { fetch: reachBackend(backend, deadline) },
    realtime,
  });
  withoutOwnRetries(supabase);
  return {
    supabase,
    setCookies,
    wait: (work) => waitUntil(deadline, Promise.resolve(work)),
  };
}

function withoutValue(name: string): { name: string; value: string } {
  return { name, value: "" };
}

/** The `Set-Cookie` values that remove the session from this browser, whatever the backend says. */
export function dropSession(request: Request): string[] {
  return readSessionCookie(request).names.map((name) => sessionCookie(name, "", true));
}

function sessionCookie(name: string, value: string, isRemoved: boolean): string {
  const attributes = cookieAttributes("adminSession");
  return stringifySetCookie(name, value, isRemoved ? { ...attributes, maxAge: 0 } : attributes);
}
