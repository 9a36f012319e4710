import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { countUnknownSession, mayAskAboutSession } from "./unknown-sessions.server";

/**
 * Ends the session here and at the authentication service. When that does not answer, the cookies go all the same: who
 * leaves a shared desk must be able to.
 * @returns the `Set-Cookie` values that remove the session
 */
export async function signOut(site: SiteContext, request: Request): Promise<string[]> {
  if (!(await mayAskAboutSession(site, request))) return site.supabase.dropSession(request);
  try {
    await countUnknownSession(site, request);
    const { supabase, wait } = await site.supabase.openSession(request);
    const { error } = await wait(supabase.auth.signOut({ scope: "local" }));
    if (error) throw error;
  } catch (error) {
    site.log.error({ event: "logout.incomplete", ...describeError(error) });
  }
  return site.supabase.dropSession(request);
}
