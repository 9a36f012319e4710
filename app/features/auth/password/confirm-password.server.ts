import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { type CodeResult, isTrouble } from "../second-factor/second-factor.server";
import { admitAttempt } from "../sign-in/sign-in-throttle.server";
import { tryPassword } from "./try-password.server";
import type { SignedIn } from "../signed-in.server";

/**
 * Checks the password of somebody who is signed in, by signing them in anew: the session of before ends.
 * @param address the client's, or null where unknown
 * @returns the cookies to send: the new session's where the password was right
 */
export async function confirmPassword(
  site: SiteContext,
  request: Request,
  { user, supabase, setCookies, wait }: SignedIn,
  password: string,
  address: string | null,
): Promise<CodeResult & { setCookies: string[] }> {
  const email = user.email ?? "";
  const attempt = await admitAttempt(site, email, request, address);
  if (!attempt.admitted) return { result: "wait", retryAfterSeconds: attempt.retryAfterSeconds, setCookies };
  try {
    const fresh = await site.supabase.beginSession(request);
    const { error } = await wait(tryPassword(fresh.supabase.auth, { email, password }));
    if (error && !isTrouble(error)) return { result: "wrong", setCookies };
    if (error) {
      site.log.error({ event: "login.broken", ...describeError(error), status: error.status });
      return { result: "broken", setCookies };
    }
    await attempt.succeed();
    await wait(supabase.auth.signOut({ scope: "local" }));
    return { result: "right", setCookies: fresh.setCookies };
  } finally {
    attempt.end();
  }
}
