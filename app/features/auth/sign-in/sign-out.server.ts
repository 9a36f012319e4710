import { readSessionCookie } from "~/server/cookies/session-cookie.server";
import type { RateDecision } from "~/server/limits/rate-limit.server";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { isRefusal } from "../service-errors.server";
import { isKnownDevice } from "./known-device.server";
import { countUnknownSession, canCheckSession } from "./unknown-sessions.server";

/**
 * Ends the session in the browser and at the authentication service. The cookies are removed even if the service does
 * not respond, so that an admin can always leave a shared computer.
 * @param rate limit on the client's log-outs; does not apply to a device that has signed in before
 * @returns the `Set-Cookie` values that remove the session, and if the service ended it; or null after too many
 *   log-outs: removing only the cookies would leave the session alive at the service without its owner knowing
 */
export async function signOut(
  site: SiteContext,
  request: Request,
  rate: RateDecision,
): Promise<{ setCookies: string[]; isEnded: boolean } | null> {
  const { session } = readSessionCookie(request, site.cookies.name("adminSession"));
  if (session === null) return { setCookies: site.supabase.dropSession(request), isEnded: true };
  if (!(await canCheckSession(site, request, "log-out"))) return null;
  if (!rate.allowed && !(await isKnownDevice(site, request))) return null;
  await countUnknownSession(site, request, "log-out");
  const isEnded = await endRequestSession(site, request);
  return { setCookies: site.supabase.dropSession(request), isEnded };
}

/**
 * Ends the request's session, if any, at the authentication service. Logs a failure and never throws.
 * @returns false if the session may go on
 */
export async function endRequestSession(site: SiteContext, request: Request): Promise<boolean> {
  if (readSessionCookie(request, site.cookies.name("adminSession")).session === null) return true;
  try {
    const { supabase, wait } = await site.supabase.openSession(request);
    const { error } = await wait(supabase.auth.signOut({ scope: "local" }));
    // If the service refuses the session, it was invalid or has already ended.
    if (error && !isRefusal(error)) throw error;
    return true;
  } catch (error) {
    site.log.error({ event: "logout.incomplete", ...describeError(error) });
    return false;
  }
}
