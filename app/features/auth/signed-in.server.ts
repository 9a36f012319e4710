import { type SupabaseClient, type User, isAuthRetryableFetchError } from "@supabase/supabase-js";
import { type TypedResponse, redirectDocument } from "@remix-run/node";
import type { MessageKey } from "~/content/messages";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { readSessionCookie } from "~/server/cookies/session-cookie.server";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { readSessionClaims } from "./access-token.server";
import { offerAdminRole } from "./sign-in/offer-admin-role.server";
import { countUnknownSession, canCheckSession } from "./sign-in/unknown-sessions.server";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /**
     * set by this request's action, which may have changed the session; the request's cookies still hold the old one
     */
    signedIn?: SignedIn;
  }
}

const standings = ["none", "challenge", "setup", "enrol", "admin"] as const;

/** Access of a signed-in person to the admin area, from `admin_standing()` in the database. */
export type Standing = (typeof standings)[number];

/** A signed-in person, and a client that acts with their rights. */
export interface SignedIn {
  supabase: SupabaseClient;
  user: User;
  accessToken: string;
  standing: Standing;
  /** must go out with the response, or a refreshed session is lost */
  setCookies: string[];
  /** awaits a call of the client. @throws Response 503 when the backend does not respond; the session stays valid */
  wait<T>(work: PromiseLike<T>): Promise<T>;
}

/**
 * Opens the session of a request. The authentication service identifies the user, because an access token alone stays
 * valid for a while after sign-out.
 * @param timeoutMs for all backend calls of the request together; defaults to the session's own limit
 * @throws Response a redirect to /login, with its message, if not signed in; 429 while too many unknown sessions
 *   arrive, which keeps the session, since it may be valid; 503 when the backend does not respond
 */
export async function requireSignedIn(site: SiteContext, request: Request, timeoutMs?: number): Promise<SignedIn> {
  // Recognizes a visitor without a session without the backend, which may still be starting.
  const isStranger = readSessionCookie(request, site.cookies.name("adminSession")).session === null;
  if (!isStranger && !(await canCheckSession(site, request, "visit"))) throw tooManySessions();
  if (isStranger)
    throw redirectWithMessage(site, "/login", explainMissingSession(site, request), site.supabase.dropSession(request));
  const session = await site.supabase.openSession(request, timeoutMs).catch((cause: unknown) => {
    throw unavailable(site, cause);
  });
  const { supabase, setCookies } = session;
  const wait = <T>(work: PromiseLike<T>) =>
    session.wait(work).catch((cause: unknown) => {
      throw unavailable(site, cause);
    });
  const { data, error } = await wait(supabase.auth.getUser());
  if (error && isBackendFailure(error)) throw unavailable(site, error);
  if (!data.user) {
    await countUnknownSession(site, request, "visit");
    throw redirectWithMessage(site, "/login", "loginRequired", [...setCookies, ...site.cookies.dropSearch(request)]);
  }
  const accessToken = (await supabase.auth.getSession()).data.session?.access_token ?? "";
  const signedInAt = Math.min(...readSessionClaims(accessToken).amr.map(({ timestamp }) => timestamp));
  // A hosted project ends no session by its age unless its plan does.
  if (signedInAt < Date.now() / 1_000 - site.settings.sessionLimits.maxSeconds) {
    await wait(supabase.auth.signOut({ scope: "local" }));
    throw redirectWithMessage(site, "/login", "loginRequired", site.supabase.dropSession(request));
  }
  const signedIn = { supabase, user: data.user, accessToken, setCookies, wait };
  const standing = await readStanding(site, signedIn);
  return { ...signedIn, standing: standing === "none" ? await offerRoleAgain(site, signedIn) : standing };
}

type Caller = Pick<SignedIn, "supabase" | "accessToken" | "wait">;

/** Reads by GET, so that a broken connection is retried. @throws Response 503 */
async function readStanding(site: SiteContext, { supabase, wait }: Caller): Promise<Standing> {
  const { data, error } = await wait(supabase.rpc("admin_standing", {}, { get: true }));
  const standing = standings.find((known) => known === data);
  if (error || !standing) throw unavailable(site, error ?? new Error("The standing is none of the known ones."));
  return standing;
}

/**
 * Offers the role again, in case `bootstrap-admin` was unavailable at sign-in.
 * @returns `none` only if the function refused
 * @throws Response 503 when the function failed
 */
async function offerRoleAgain(site: SiteContext, caller: Caller): Promise<Standing> {
  const offer = await caller.wait(offerAdminRole(site, caller.supabase, caller.accessToken));
  if (offer === "refused") return "none";
  const standing = offer === "granted" ? await readStanding(site, caller) : "none";
  if (standing === "none") throw unavailable(site, new Error("The role could not be offered."));
  return standing;
}

function tooManySessions(): Response {
  const headers = { "Cache-Control": "no-store", "Retry-After": "60" };
  return new Response(null, { status: 429, statusText: "Too Many Requests", headers });
}

/**
 * Redirects and shows a message on the target page. Scripts load the target as a new document: the admin area has its
 * own style sheet, which would otherwise load only after the page is painted.
 */
export function redirectWithMessage(
  { notices }: SiteContext,
  path: string,
  message: MessageKey,
  setCookies: string[],
): TypedResponse<never> {
  return redirectDocument(notices.addTo(path, message), { status: 303, headers: createAdminHeaders(setCookies) });
}

/**
 * Explains why a request has no session cookie. If its URL carries a fresh notice from our own page, the previous
 * response set the cookie and the browser did not store it.
 */
export function explainMissingSession(
  { notices }: Pick<SiteContext, "notices">,
  request: Request,
): "cookieNotKept" | "loginRequired" {
  return notices.findFor(request)?.isFresh ? "cookieNotKept" : "loginRequired";
}

function isBackendFailure(error: Error & { status?: number }): boolean {
  return isAuthRetryableFetchError(error) || (error.status ?? 0) >= 500;
}

function unavailable({ log }: SiteContext, cause: unknown): Response {
  log.error({ event: "admin.unavailable", ...describeError(cause) });
  return new Response("The backend is not responding. Try again in a minute.", {
    status: 503,
    statusText: "Service Unavailable",
    headers: { "Cache-Control": "no-store", "Retry-After": "60" },
  });
}
