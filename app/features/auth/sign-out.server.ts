import { describeError, logProblem } from "~/server/observability/log.server";
import { dropSession, openSession } from "~/server/backend/supabase-clients.server";
import { countUnknownSession, mayAskAboutSession } from "./unknown-sessions.server";

/**
 * Ends the session here and at the authentication service. When that does not answer, the cookies go all the same: who
 * leaves a shared desk must be able to.
 * @returns the `Set-Cookie` values that remove the session
 */
export async function signOut(request: Request): Promise<string[]> {
  if (!(await mayAskAboutSession(request))) return dropSession(request);
  try {
    await countUnknownSession(request);
    const { supabase, wait } = await openSession(request);
    const { error } = await wait(supabase.auth.signOut({ scope: "local" }));
    if (error) throw error;
  } catch (error) {
    logProblem({ event: "logout.incomplete", ...describeError(error) });
  }
  return dropSession(request);
}
