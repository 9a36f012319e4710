import { readSessionCookie } from "~/server/cookies/session-cookie.server";
import type { RateDecision } from "~/server/limits/rate-limit.server";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { isServiceFailure } from "../service-errors.server";
import { isKnownDevice } from "./known-device.server";
import { countUnknownSession, canCheckSession } from "./unknown-sessions.server";

/**
 * Ends the session here and at the authentication service. When that does not answer, the cookies go all the same: who
 * leaves a shared desk must be able to.
 * @param rate of the client's log-outs; a device that has signed in before is not held to it
 * @returns the `Set-Cookie` values that remove the session; null where there were too many log-outs: removed from the browser alone, the
 *   session would live on at the service, and its owner would not know
 */
export async function signOut(site: SiteContext, request: Request, rate: RateDecision): Promise<string[] | null> {
  const { session } = readSessionCookie(request, site.cookies.name("adminSession"));
  if (session === null) return site.supabase.dropSession(request);
  if (!(await canCheckSession(site, request, "log-out"))) return null;
  if (!rate.allowed && !(await isKnownDevice(site, request))) return null;
  await countUnknownSession(site, request, "log-out");
  await endRequestSession(site, request);
  return site.supabase.dropSession(request);
}

/** Ends the session that a request brings, if it brings one, at the authentication service. A failure is logged, never thrown. */
export async function endRequestSession(site: SiteContext, request: Request): Promise<void> {
  if (readSessionCookie(request, site.cookies.name("adminSession")).session === null) return;
  try {
    const { supabase, wait } = await site.supabase.openSession(request);
    const { error } = await wait(supabase.auth.signOut({ scope: "local" }));
    // One that the service refuses is none, or has ended.
    if (error && isServiceFailure(error)) throw error;
  } catch (error) {
    site.log.error({ event: "logout.incomplete", ...describeError(error) });
  }
}
