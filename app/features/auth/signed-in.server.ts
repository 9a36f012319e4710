import { type SupabaseClient, type User, isAuthRetryableFetchError } from "@supabase/supabase-js";
import { redirectDocument } from "@remix-run/node";
import type { MessageKey } from "~/content/messages";
import { answerHeaders } from "~/lib/http/answer-headers";
import { readSessionCookie } from "~/server/cookies/session-cookie.server";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { offerAdminRole } from "./sign-in/offer-admin-role.server";
import { countUnknownSession, canCheckSession } from "./sign-in/unknown-sessions.server";

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** whom this request's action has let pass; it may have changed the session, which the request's cookies do not know */
    signedIn?: SignedIn;
  }
}

const standings = ["none", "challenge", "setup", "enrol", "admin"] as const;

/** What is between somebody who is signed in and the admin area: `admin_standing()` in the database. */
export type Standing = (typeof standings)[number];

/** Somebody whose session lasts, and a client that acts with their rights. */
export interface SignedIn {
  supabase: SupabaseClient;
  user: User;
  accessToken: string;
  standing: Standing;
  /** must go out with the answer, or a refreshed session is lost */
  setCookies: string[];
  /** waits for a call of the client; a failure of the service is {@link AdminUnavailable} */
  wait<T>(work: PromiseLike<T>): Promise<T>;
}

/** The backend could not say who this is; their session is kept. */
export class AdminUnavailable extends Error {
  override name = "AdminUnavailable";
}

/**
 * Opens the session of a request. The authentication service says who the user is: the access token alone stays valid for
 * a while after signing out.
 * @param timeoutMs how long all of the request's calls together may take; the session's own limit unless given
 * @throws Response a redirect to /login, with its message, for who is not signed in; 429 while too many sessions are presented that
 *   nobody knows: this one may be good, so it stays
 * @throws AdminUnavailable when the backend does not answer
 */
export async function requireSignedIn(site: SiteContext, request: Request, timeoutMs?: number): Promise<SignedIn> {
  // A stranger is known without the backend, which may still be starting.
  const isStranger = readSessionCookie(request, site.cookies.name("adminSession")).session === null;
  if (!isStranger && !(await canCheckSession(site, request, "visit"))) throw tooManySessions();
  if (isStranger)
    throw redirectWithMessage(
      site,
      "/login",
      explainMissingSession(site, request.url),
      site.supabase.dropSession(request),
    );
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
    throw redirectWithMessage(site, "/login", "loginRequired", setCookies);
  }
  const accessToken = (await supabase.auth.getSession()).data.session?.access_token ?? "";
  const signedIn = { supabase, user: data.user, accessToken, setCookies, wait };
  const standing = await readStanding(site, signedIn);
  return { ...signedIn, standing: standing === "none" ? await offerRoleAgain(site, signedIn) : standing };
}

type Caller = Pick<SignedIn, "supabase" | "accessToken" | "wait">;

/** A read, so that it is tried again where the connection breaks. @throws AdminUnavailable */
async function readStanding(site: SiteContext, { supabase, wait }: Caller): Promise<Standing> {
  const { data, error } = await wait(supabase.rpc("admin_standing", {}, { get: true }));
  const standing = standings.find((known) => known === data);
  if (error || !standing) throw unavailable(site, error ?? new Error("The standing is none of the known ones."));
  return standing;
}

/**
 * Offers the role once more: it is missing, or was not granted at sign-in because `bootstrap-admin` was away.
 * @returns `none` only if the function refused
 * @throws AdminUnavailable when the function could not say
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
 * A redirect that shows a message on the page that it leads to. Scripts load that page as a document, since the admin area has a style
 * sheet of its own: put into the document of another page, it would come after that page has been painted.
 */
export function redirectWithMessage(
  { notices }: SiteContext,
  path: string,
  message: MessageKey,
  setCookies: string[],
): Response {
  return redirectDocument(notices.addTo(path, message), { status: 303, headers: answerHeaders(setCookies) });
}

/**
 * Why a request without a session's cookie is not let in. If its address says that a form was answered just now, that answer set the
 * cookie, and the browser did not keep it.
 * @param address with its query
 */
export function explainMissingSession(
  { notices }: Pick<SiteContext, "notices">,
  address: string,
): "cookieNotKept" | "loginRequired" {
  return notices.find(address)?.isFresh ? "cookieNotKept" : "loginRequired";
}

function isBackendFailure(error: Error & { status?: number }): boolean {
  return isAuthRetryableFetchError(error) || (error.status ?? 0) >= 500;
}

function unavailable({ log }: SiteContext, cause: unknown): AdminUnavailable {
  log.error({ event: "admin.unavailable", ...describeError(cause) });
  return new AdminUnavailable();
}
