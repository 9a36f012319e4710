import { createServerClient } from "@supabase/ssr";
import { type SupabaseClient, createClient } from "@supabase/supabase-js";
import { stringifySetCookie } from "cookie";
import { realtime } from "#supabase/functions/_shared/host/realtime";
import type { Timeouts } from "../config/timeouts.server";
import type { Cookies } from "../cookies/cookies.server";
import { type SessionCookie, readSessionCookie } from "../cookies/session-cookie.server";
import type { Log } from "../observability/log.server";
import type { BackendConnection } from "./backend.server";
import { waitUntil } from "./calls/deadline.server";
import type { BackendCalls } from "./calls/reach-backend.server";

/** Client with the rights of the user in the request's session cookie. */
export interface SessionClient {
  supabase: SupabaseClient;
  /** `Set-Cookie` values for the response: a refreshed session, or the removal of an ended one */
  setCookies: string[];
  /** waits for a call of this client, up to the request's deadline */
  wait<T>(work: PromiseLike<T>): Promise<T>;
}

/** Creates the clients with which loaders and actions call Supabase. */
export interface SupabaseClients {
  /** Returns a client with an anonymous visitor's rights that keeps no state between calls. */
  visitor(): Promise<SupabaseClient>;
  /**
   * Opens the session of a request. The authentication service stores the browser's `User-Agent` with the session, so
   * that its owner can tell sessions apart. Create one client a request: each would refresh an expired session, and
   * using a refresh token twice ends the whole session.
   *
   * The library removes a session that cannot be refreshed, and otherwise retries a failed refresh for half a minute
   * (200 ms, doubling). After the deadline its calls are not sent: no browser would receive the renewed session's
   * cookies. Cookies that cannot be a session are removed, and the library does not see them.
   * @param timeoutMs for all of its calls together
   */
  openSession(request: Request, timeoutMs?: number): Promise<SessionClient>;
  /** Works like `openSession`, for signing in: it ignores and removes the request's present session. */
  beginSession(request: Request): Promise<SessionClient>;
  /**
   * Returns the `Set-Cookie` values that remove the session and its search words from this browser, without calling the
   * backend.
   */
  dropSession(request: Request): string[];
}

/** Session events that the log has, as the authentication library names them. */
const sessionEvents = ["SIGNED_IN", "SIGNED_OUT", "TOKEN_REFRESHED", "MFA_CHALLENGE_VERIFIED", "USER_UPDATED"];

/** Dependencies of the clients. */
export interface ClientDependencies {
  backend: BackendConnection;
  calls: BackendCalls;
  cookies: Cookies;
  timeouts: Timeouts;
  log: Log;
}

/** Creates the clients of one site. */
export function createSupabaseClients({
  backend: connection,
  calls,
  cookies,
  timeouts,
  log,
}: ClientDependencies): SupabaseClients {
  const name = cookies.name("adminSession");

  function sessionCookie(changed: string, value: string, isRemoved: boolean): string {
    const attributes = cookies.attributes("adminSession");
    return stringifySetCookie(changed, value, isRemoved ? { ...attributes, maxAge: 0 } : attributes);
  }

  async function openWith(
    request: Request,
    { session, names }: SessionCookie,
    timeoutMs: number,
  ): Promise<SessionClient> {
    const backend = await connection.get();
    const deadline = performance.now() + timeoutMs;
    const setCookies = session === null ? names.map((stale) => sessionCookie(stale, "", true)) : [];
    // Joined and decoded, as the library accepts it. Names without a value are chunks for it to remove.
    const sent =
      session === null ? [] : [{ name, value: session }, ...names.filter((other) => other !== name).map(emptyCookie)];
    const userAgent = request.headers.get("user-agent")?.slice(0, longestUserAgent);
    const supabase = createServerClient(backend.url, backend.publishableKey, {
      cookieOptions: { name, ...cookies.attributes("adminSession") },
      cookies: {
        getAll: () => sent,
        setAll: (changes) => {
          for (const { name: changed, value, options } of changes) {
            const earlier = setCookies.findIndex((line) => line.startsWith(`${changed}=`));
            if (earlier !== -1) setCookies.splice(earlier, 1);
            setCookies.push(sessionCookie(changed, value, options.maxAge === 0));
          }
        },
      },
      global: {
        fetch: calls.reach(backend, deadline),
        headers: userAgent === undefined ? {} : { "User-Agent": userAgent },
      },
      realtime,
    });
    supabase.auth.onAuthStateChange((happened) => {
      if (sessionEvents.includes(happened)) log.info({ event: "session.event", kind: happened });
    });
    return {
      supabase: disableClientRetries(supabase),
      setCookies,
      wait: (work) => waitUntil(deadline, Promise.resolve(work)),
    };
  }

  return {
    async visitor() {
      const backend = await connection.get();
      const supabase = createClient(backend.url, backend.publishableKey, {
        auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
        global: { fetch: calls.reach(backend) },
        realtime,
      });
      return disableClientRetries(supabase);
    },
    openSession: (request, timeoutMs = timeouts.session) =>
      openWith(request, readSessionCookie(request, name), timeoutMs),
    beginSession: (request) =>
      openWith(request, { ...readSessionCookie(request, name), session: null }, timeouts.session),
    dropSession: (request) => [
      ...readSessionCookie(request, name).names.map((stale) => sessionCookie(stale, "", true)),
      ...cookies.dropSearch(request),
    ],
  };
}

/** Twice what browsers send. */
const longestUserAgent = 400;

/** Disables postgrest-js's retries, which would multiply those of `retryReads`; supabase-js has no option for it. */
function disableClientRetries(supabase: SupabaseClient): SupabaseClient {
  supabase["rest"].retry = false;
  return supabase;
}

function emptyCookie(name: string): { name: string; value: string } {
  return { name, value: "" };
}
