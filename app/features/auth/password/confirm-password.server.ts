import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import type { CodeResult } from "../second-factor/second-factor.server";
import { isRefusal, isTrouble } from "../service-errors.server";
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
  let isWrong = false;
  try {
    const fresh = await site.supabase.beginSession(request);
    const { error } = await wait(tryPassword(fresh.supabase.auth, { email, password }));
    isWrong = error !== null && isRefusal(error);
    if (error && !isTrouble(error)) return { result: "wrong", setCookies };
    if (error) {
      site.log.error({ event: "login.broken", ...describeError(error), status: error.status });
      return { result: "broken", setCookies };
    }
    await wait(supabase.auth.signOut({ scope: "local" }));
    return { result: "right", setCookies: fresh.setCookies };
  } finally {
    await attempt.end(isWrong);
  }
}
