import { type SupabaseClient, isAuthRetryableFetchError } from "@supabase/supabase-js";
import { redirect } from "@remix-run/node";
import type { MessageKey } from "~/content/messages";
import { type Log, describeError } from "~/server/observability/log.server";
import { readSessionCookie } from "~/server/cookies/session-cookie.server";
import type { SiteContext } from "~/server/site-context.server";
import { countUnknownSession, mayAskAboutSession } from "./unknown-sessions.server";

/** A signed-in admin, and a client that reads with their rights. */
export interface Admin {
  client: { supabase: SupabaseClient; log: Log };
  /** must go out with the answer, or a refreshed session is lost */
  setCookies: string[];
  /** their address while they sign in with the password that the first start printed, else null */
  generatedPasswordOf: string | null;
}

/** The backend could not say who this is; their session is kept. */
export class AdminUnavailable extends Error {
  override name = "AdminUnavailable";
}

/**
 * Lets admins pass (REQUIREMENTS 7.3). The authentication service says who the user is: the access token alone stays valid
 * for a while after signing out.
 * @throws Response a redirect to /login (not signed in) or / (no admin), each with its message
 * @param timeoutMs how long all of the request's calls together may take; the session's own limit unless given
 * @throws AdminUnavailable when the backend does not answer
 */
export async function requireAdmin(site: SiteContext, request: Request, timeoutMs?: number): Promise<Admin> {
  // A stranger is known without the backend, which may still be starting.
  const isStranger = readSessionCookie(request, site.cookies.name("adminSession")).session === null;
  if (isStranger || !(await mayAskAboutSession(site, request)))
    throw await redirectWithMessage(site, "/login", "loginRequired", site.supabase.dropSession(request));
  const session = site.supabase.openSession(request, timeoutMs);
  const { supabase, setCookies, wait } = await session.catch((cause: unknown) => {
    throw unavailable(site, cause);
  });
  const waitOrGiveUp = <T>(work: PromiseLike<T>) =>
    wait(work).catch((cause: unknown) => {
      throw unavailable(site, cause);
    });
  const { data, error } = await waitOrGiveUp(supabase.auth.getUser());
  if (error && isServiceTrouble(error)) throw unavailable(site, error);
  if (!data.user) {
    await countUnknownSession(site, request);
    throw await redirectWithMessage(site, "/login", "loginRequired", setCookies);
  }

  const { id, email, app_metadata } = data.user;
  const role = await waitOrGiveUp(
    supabase.from("user_roles").select("role").eq("user_id", id).eq("role", "admin").maybeSingle(),
  );
  if (role.error) throw unavailable(site, role.error);
  if (!role.data) throw await redirectWithMessage(site, "/", "notAdmin", setCookies);
  // Set by the embedded backend (supabase/embedded/first-admin.ts), and gone with the first change of the password.
  const generatedPasswordOf = app_metadata.password_is_generated === true ? (email ?? null) : null;
  return { client: { supabase, log: site.log }, setCookies, generatedPasswordOf };
}

/**
 * As {@link requireAdmin}, for answers that have no page to say it on.
 * @throws Response 503 when the backend does not answer
 */
export async function requireAdminOr503(site: SiteContext, request: Request, timeoutMs?: number): Promise<Admin> {
  try {
    return await requireAdmin(site, request, timeoutMs);
  } catch (error) {
    if (!(error instanceof AdminUnavailable)) throw error;
    throw new Response("The backend does not answer. Try again in a minute.", {
      status: 503,
      statusText: "Service Unavailable",
      headers: { "Cache-Control": "no-store", "Retry-After": "60" },
    });
  }
}

function isServiceTrouble(error: Error & { status?: number }): boolean {
  return isAuthRetryableFetchError(error) || (error.status ?? 0) >= 500;
}

function unavailable({ log }: SiteContext, cause: unknown): AdminUnavailable {
  log.error({ event: "admin.unavailable", ...describeError(cause) });
  return new AdminUnavailable();
}

async function redirectWithMessage(
  site: SiteContext,
  path: string,
  message: MessageKey,
  setCookies: string[],
): Promise<Response> {
  const headers = new Headers({ "Cache-Control": "no-store" });
  for (const value of [...setCookies, await site.flash.set(message)]) headers.append("Set-Cookie", value);
  return redirect(path, { status: 303, headers });
}
