import type { AuthError, SupabaseClient } from "@supabase/supabase-js";
import { findPasswordFault } from "~/lib/passwords/password-rule";
import { findPasswordWords } from "~/lib/passwords/password-words";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { tryPassword } from "./try-password.server";
import type { PasswordChange } from "./change-password.schema";
import type { Credentials } from "../sign-in/login.schema";
import { busySeconds, isBusy, isRefusal, isServiceFailure } from "../service-errors.server";
import { recordAttempt } from "../sign-in/record-attempt.server";
import { admitAttempt } from "../sign-in/sign-in-throttle.server";

/** Result of a password change. The form shows `text`. */
export type PasswordChangeOutcome =
  | { outcome: "changed" }
  | { outcome: "mistake"; field: keyof PasswordChange; text: string }
  | { outcome: "throttled"; retryAfterSeconds: number }
  | { outcome: "refused"; text: string }
  | { outcome: "broken"; text: string };

/** The person who changes their password, and their request. */
export interface PasswordOwner {
  /** holds their session, which continues; the authentication service ends all their others */
  supabase: SupabaseClient;
  email: string;
  request: Request;
  /** of the client, or null if unknown */
  address: string | null;
}

/**
 * Changes the password of the signed-in person. Checks the current password as sign-in does, throttle included, because
 * someone else may be using the open session. The database queues the email about the change (migration "accounts").
 */
export async function changePassword(
  site: SiteContext,
  owner: PasswordOwner,
  { currentPassword, newPassword }: PasswordChange,
): Promise<PasswordChangeOutcome> {
  // A hosted project checks neither for common passwords nor for the firm's name.
  const words = findPasswordWords(owner.email, site.settings.siteUrl, site.settings.mail.firmName);
  const fault = await findPasswordFault(newPassword, words);
  if (fault) return { outcome: "mistake", field: "newPassword", text: fault };
  const attempt = await admitAttempt(site, owner.email, owner.request, owner.address);
  if (!attempt.admitted) {
    recordAttempt(site, "password", "wait");
    return { outcome: "throttled", retryAfterSeconds: attempt.retryAfterSeconds };
  }
  let isWrong = false;
  try {
    const wrong = await checkPassword(site, { email: owner.email, password: currentPassword });
    isWrong = wrong !== null && isRefusal(wrong);
    const failure = wrong && isBusy(wrong) ? "wait" : "broken";
    recordAttempt(site, "password", wrong === null ? "right" : isWrong ? "wrong" : failure);
    if (wrong) return toOutcome(site, wrong);
    const { error } = await owner.supabase.auth.updateUser({ password: newPassword });
    if (error) return toOutcome(site, error);
    site.log.info({ event: "account.password-changed" });
    return { outcome: "changed" };
  } finally {
    await attempt.end(isWrong);
  }
}

/** Signs in with a separate client and out again. @returns the service's refusal, or null */
async function checkPassword(site: SiteContext, credentials: Credentials): Promise<AuthError | null> {
  const { auth } = await site.supabase.visitor();
  const { error } = await tryPassword(auth, credentials);
  if (error) return error;
  const signedOut = await auth.signOut({ scope: "local" });
  // The password change that follows ends that session as well.
  if (signedOut.error) site.log.error({ event: "account.check-not-ended", ...describeError(signedOut.error) });
  return null;
}

/** Maps error codes of Supabase Auth. For `weak_password` its text names the password rule that was set there. */
function toOutcome({ log }: SiteContext, error: AuthError): PasswordChangeOutcome {
  switch (error.code) {
    case "invalid_credentials":
      return {
        outcome: "mistake",
        field: "currentPassword",
        text: "That is not your current password. Enter it again",
      };
    case "same_password":
      return { outcome: "mistake", field: "newPassword", text: "Enter a password that differs from your current one" };
    case "weak_password":
      return { outcome: "mistake", field: "newPassword", text: error.message };
    case "reauthentication_needed":
      return {
        outcome: "refused",
        text: "You signed in more than a day ago. Log out, sign in again, and then change your password.",
      };
  }
  if (isBusy(error)) return { outcome: "throttled", retryAfterSeconds: busySeconds };
  if (!isServiceFailure(error)) return { outcome: "refused", text: error.message };
  log.error({ event: "account.password-not-changed", ...describeError(error), status: error.status });
  return {
    outcome: "broken",
    text: "Something went wrong. Try again in a minute. If your password is refused then, the new one is set.",
  };
}
