import type { AuthError } from "@supabase/supabase-js";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { hasSecondFactor } from "../require-admin.server";
import type { CodeResult } from "../code-result";
import { verifyCode } from "../second-factor/second-factor.server";
import { busySeconds, isBusy, isRefusal, isServiceFailure } from "../service-errors.server";
import type { SignedIn } from "../signed-in.server";
import type { Credentials } from "../sign-in/login.schema";
import { recordAttempt } from "../sign-in/record-attempt.server";
import { admitAttempt } from "../sign-in/sign-in-throttle.server";
import { tryPassword } from "./try-password.server";

/** Password, and the code for those who have a second factor. */
export interface Proof {
  password: string;
  code: string;
}

/**
 * Re-authenticates a signed-in person in full (OWASP ASVS 7.5.1). It opens a new session and ends the old one.
 * @param address of the client, or null if unknown
 * @returns the result, the field it concerns, and the cookies to send: those of the new session if everything was right
 */
export async function confirmIdentity(
  site: SiteContext,
  request: Request,
  signedIn: SignedIn,
  { password, code }: Proof,
  address: string | null,
): Promise<CodeResult & { field: keyof Proof; setCookies: string[] }> {
  const { user, supabase, setCookies, wait } = signedIn;
  const fresh = await site.supabase.beginSession(request);
  const credentials = { email: user.email ?? "", password };
  const tried = await tryOwnPassword(site, request, credentials, address, () =>
    wait(tryPassword(fresh.supabase.auth, credentials)),
  );
  recordAttempt(site, "password", tried.result);
  if (tried.result !== "right") return { ...tried, field: "password", setCookies };
  if (hasSecondFactor(user)) {
    const verified = await verifyCode(site, signedIn, request, code, fresh.supabase);
    if (verified.result !== "right") {
      await wait(fresh.supabase.auth.signOut({ scope: "local" }));
      return { ...verified, field: "code", setCookies };
    }
  }
  await wait(supabase.auth.signOut({ scope: "local" }));
  return { result: "right", field: "password", setCookies: fresh.setCookies };
}

async function tryOwnPassword(
  site: SiteContext,
  request: Request,
  { email }: Credentials,
  address: string | null,
  ask: () => Promise<{ error: AuthError | null }>,
): Promise<CodeResult> {
  const attempt = await admitAttempt(site, email, request, address);
  if (!attempt.admitted) return { result: "wait", retryAfterSeconds: attempt.retryAfterSeconds };
  let isWrong = false;
  try {
    const { error } = await ask();
    isWrong = error !== null && isRefusal(error);
    if (!error) return { result: "right" };
    if (isBusy(error)) return { result: "wait", retryAfterSeconds: busySeconds };
    if (!isServiceFailure(error)) return { result: "wrong" };
    site.log.error({ event: "login.broken", ...describeError(error), status: error.status });
    return { result: "broken" };
  } finally {
    await attempt.end(isWrong);
  }
}
