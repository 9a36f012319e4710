import type { AuthError, AuthTokenResponsePassword } from "@supabase/supabase-js";
import { setTimeout as wait } from "node:timers/promises";
import { fallbackTexts } from "~/content/messages";
import type { SessionClient } from "~/server/backend/supabase-clients.server";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { tryPassword } from "../password/try-password.server";
import { setKnownDevice } from "./known-device.server";
import type { Credentials } from "./login.schema";
import { recordAttempt } from "./record-attempt.server";
import { offerAdminRole } from "./offer-admin-role.server";
import { recordSignIn } from "./record-sign-in.server";
import { hasSecondFactor } from "../require-admin.server";
import { busySeconds, isBusy, isRefusal, isServiceFailure } from "../service-errors.server";
import { endRequestSession } from "./sign-out.server";
import { admitAttempt } from "./sign-in-throttle.server";

/** Result of a sign-in. The form shows `text`. */
export type SignInOutcome =
  | { outcome: "signed-in"; needsSecondFactor: boolean; setCookies: string[] }
  | { outcome: "refused"; text: string }
  | { outcome: "throttled"; retryAfterSeconds: number }
  | { outcome: "broken"; text: string };

/**
 * Signs in with email and password (REQUIREMENTS 7.1) and offers the session to `bootstrap-admin`.
 * @param address of the client, or null if unknown
 * @param beforeWait called before the request waits idly, so that its render slot can go to another one
 */
export async function signIn(
  site: SiteContext,
  credentials: Credentials,
  request: Request,
  address: string | null,
  beforeWait: () => void,
): Promise<SignInOutcome> {
  const outcome = await trySigningIn(site, credentials, request, address, beforeWait);
  recordAttempt(site, "password", resultOf[outcome.outcome]);
  return outcome;
}

const resultOf = { "signed-in": "right", refused: "wrong", throttled: "wait", broken: "broken" } as const;

async function trySigningIn(
  ...[site, credentials, request, address, beforeWait]: Parameters<typeof signIn>
): Promise<SignInOutcome> {
  // After a start or restore, admins sign in while the backend still opens. Wait: no form keeps their password for a
  // retry.
  if (!site.backend.isOpen()) {
    beforeWait();
    await site.backend.get(site.timeouts.signInQueue).catch(() => undefined);
  }
  const attempt = await admitAttempt(site, credentials.email, request, address, beforeWait);
  if (!attempt.admitted) return { outcome: "throttled", retryAfterSeconds: attempt.retryAfterSeconds };
  // Starts after the queue: if it ran out during that wait, the time of the password hash would show.
  const earliestFailure = wait(site.timeouts.accountResponse);
  let isWrong = false;
  let session: SessionClient;
  let tried: AuthTokenResponsePassword;
  try {
    session = await site.supabase.beginSession(request);
    tried = await tryPassword(session.supabase.auth, credentials);
    isWrong = tried.error !== null && isRefusal(tried.error);
  } catch (reason) {
    return reportBroken(site, reason);
  } finally {
    await attempt.end(isWrong);
  }
  if (tried.error) {
    beforeWait();
    await earliestFailure;
    return toSignInOutcome(site, tried.error);
  }
  await Promise.all([
    // Ignores a failure: the admin area offers the role again.
    offerAdminRole(site, session.supabase, tried.data.session.access_token),
    recordSignIn(site, session.supabase, request, credentials.email),
    // Another person may hold a copy of the earlier session's cookie.
    endRequestSession(site, request),
  ]);
  const needsSecondFactor = hasSecondFactor(tried.data.user);
  // A password alone does not make a device known.
  const known = needsSecondFactor ? [] : [await setKnownDevice(site, request, credentials.email)];
  const setCookies = [...session.setCookies, ...known, ...site.cookies.dropSearch(request)];
  return { outcome: "signed-in", needsSecondFactor, setCookies };
}

function toSignInOutcome(site: SiteContext, error: AuthError): SignInOutcome {
  if (isBusy(error)) return { outcome: "throttled", retryAfterSeconds: busySeconds };
  return isServiceFailure(error)
    ? reportBroken(site, error, error.status)
    : { outcome: "refused", text: error.message };
}

/** @param error from the service, or the reason why the backend did not open in time */
function reportBroken({ log }: SiteContext, error: unknown, status?: number): SignInOutcome & { outcome: "broken" } {
  log.error({ event: "login.broken", ...describeError(error), status });
  // A network error's own text ("fetch failed") is no help to a person at a form.
  return { outcome: "broken", text: fallbackTexts.loginBroken };
}
