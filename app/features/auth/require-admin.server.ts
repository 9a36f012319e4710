import { type SupabaseClient, isAuthRetryableFetchError } from "@supabase/supabase-js";
import { redirect } from "@remix-run/node";
import type { MessageKey } from "~/content/messages";
import { setFlash } from "~/server/flash.server";
import { describeError, logProblem } from "~/server/log.server";
import { readSessionCookie } from "~/server/session-cookie.server";
import { dropSession, openSession } from "~/server/supabase.server";
import { countUnknownSession, mayAskAboutSession } from "./unknown-sessions.server";

/** Somebody who may read what came in, and the client that reads with their rights. */
export interface Admin {
  supabase: SupabaseClient;
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
 * Lets admins pass (spec section 6). The user is asked from the authentication service, not read from the token, which
 * stays valid for a while after signing out.
 * @throws Response a redirect to /login (not signed in) or / (no admin), each with its message
 * @param patienceMs how long all of the request's calls together may take; the session's own limit unless given
 * @throws AdminUnavailable when the backend does not answer
 */
export async function requireAdmin(request: Request, patienceMs?: number): Promise<Admin> {
  // A stranger is known without the backend, which may still be starting.
  const isStranger = readSessionCookie(request).session === null;
  if (isStranger || !(await mayAskAboutSession(request)))
    throw await redirectWithMessage("/login", "loginRequired", dropSession(request));
  const { supabase, setCookies, wait } = await openSession(request, patienceMs).catch((cause: unknown) => {
    throw unavailable(cause);
  });
  const waitOrGiveUp = <T>(work: PromiseLike<T>) =>
    wait(work).catch((cause: unknown) => {
      throw unavailable(cause);
    });
  const { data, error } = await waitOrGiveUp(supabase.auth.getUser());
  if (error && isServiceTrouble(error)) throw unavailable(error);
  if (!data.user) {
    await countUnknownSession(request);
    throw await redirectWithMessage("/login", "loginRequired", setCookies);
  }

  const { id, email, app_metadata } = data.user;
  const role = await waitOrGiveUp(
    supabase.from("user_roles").select("role").eq("user_id", id).eq("role", "admin").maybeSingle(),
  );
  if (role.error) throw unavailable(role.error);
  if (!role.data) throw await redirectWithMessage("/", "notAdmin", setCookies);
  // Set by the embedded backend (supabase/embedded/first-admin.ts), and gone with the first change of the password.
  const generatedPasswordOf = app_metadata.password_is_generated === true ? (email ?? null) : null;
  return { supabase, setCookies, generatedPasswordOf };
}

/**
 * As {@link requireAdmin}, for answers that have no page to say it on.
 * @throws Response 503 when the backend does not answer
 */
export async function requireAdminOr503(request: Request, patienceMs?: number): Promise<Admin> {
  try {
    return await requireAdmin(request, patienceMs);
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

function unavailable(cause: unknown): AdminUnavailable {
  logProblem({ event: "admin.unavailable", ...describeError(cause) });
  return new AdminUnavailable();
}

async function redirectWithMessage(path: string, message: MessageKey, setCookies: string[]): Promise<Response> {
  const headers = new Headers({ "Cache-Control": "no-store" });
  for (const value of [...setCookies, await setFlash(message)]) headers.append("Set-Cookie", value);
  return redirect(path, { status: 303, headers });
}
