import { readCode } from "~/lib/typed-code";
import { unrecognizedResponse, isAccepted } from "~/server/backend/calls/call-function.server";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { type AttemptLimit, createAttemptLimit } from "~/server/limits/attempt-limit.server";
import { readSessionClaims } from "../access-token.server";
import type { CodeResult } from "../code-result";
import { countAttempt } from "../counted-attempt.server";
import { isBusy, isServiceFailure } from "../service-errors.server";
import { findKnownDevice } from "../sign-in/known-device.server";
import { recordAttempt } from "../sign-in/record-attempt.server";
import type { SignedIn } from "../signed-in.server";

const quarterHour = 15 * 60;

/**
 * Counts wrong codes per session, so that a thief with the password cannot use up the attempts of a session that has
 * passed the second factor. Sessions that have not passed it also count per known device, or else per person: a thief
 * can open any number of sessions, but none on a device of the owner's. On a hosted project the authentication service
 * counts by address and would take all admins for one.
 */
const createThrottle = (site: SiteContext) => ({
  perSession: createAttemptLimit(site, { name: "second-factor", points: 5, seconds: quarterHour }),
  perDevice: createAttemptLimit(site, { name: "second-factor-device", points: 10, seconds: quarterHour }),
  perPerson: createAttemptLimit(site, { name: "second-factor-person", points: 10, seconds: quarterHour }),
  // A code is valid for at most 90 seconds.
  perCode: createAttemptLimit(site, { name: "second-factor-code", points: 1, seconds: 120 }),
});

async function admitCode(site: SiteContext, { standing, user, accessToken }: SignedIn, request: Request) {
  const { perSession, perDevice, perPerson } = site.feature(createThrottle);
  const ofSession: [AttemptLimit, string] = [perSession, readSessionClaims(accessToken).session_id];
  if (standing === "admin") return countAttempt([ofSession]);
  const device = await findKnownDevice(site, request, user.email ?? "");
  return countAttempt([ofSession, device ? [perDevice, `${device} ${user.id}`] : [perPerson, user.id]]);
}

/** Extracts the digits of a typed or pasted code. */
export function readDigits(code: string): string {
  return readCode(code).replaceAll(/\D/g, "");
}

/**
 * Verifies a code from the caller's authenticator app. A right code raises the session to assurance level 2 and changes
 * its cookies.
 * @param supabase holds the session to raise; defaults to the caller's. Attempts always count for the caller's session.
 */
export async function verifyCode(
  site: SiteContext,
  signedIn: SignedIn,
  request: Request,
  code: string,
  supabase = signedIn.supabase,
): Promise<CodeResult> {
  const result = await tryCode(site, { ...signedIn, supabase }, request, code);
  recordAttempt(site, "code", result.result);
  return result;
}

async function tryCode(site: SiteContext, signedIn: SignedIn, request: Request, code: string): Promise<CodeResult> {
  const attempt = await admitCode(site, signedIn, request);
  if (!attempt.admitted) return { result: "wait", retryAfterSeconds: attempt.retryAfterSeconds };
  let isWrong = false;
  try {
    const digits = readDigits(code);
    const result = await takeOnce(site, signedIn, digits, () => tryFactors(site, signedIn, digits));
    isWrong = result.result === "wrong";
    if (isWrong) await recordWrongCode(site, signedIn);
    return result;
  } finally {
    // Only wrong codes count, even if the service does not respond.
    await attempt.end(isWrong);
  }
}

/**
 * Records a wrong code. After five, the owner gets an email, because the person who enters the codes has the password.
 * Logs a failure to record and does not throw.
 */
async function recordWrongCode({ log }: SiteContext, { supabase, wait }: SignedIn): Promise<void> {
  const { error } = await wait(supabase.rpc("record_wrong_code"));
  if (error) log.error({ event: "second-factor.wrong-code-not-noted", code: error.code });
}

/** Refuses a code that was right before (RFC 6238, section 5.2), because a hosted project accepts it again. */
export async function takeOnce(
  site: SiteContext,
  { user }: SignedIn,
  code: string,
  check: () => Promise<CodeResult>,
): Promise<CodeResult> {
  const { perCode } = site.feature(createThrottle);
  const used = `${user.id} ${code}`;
  if (!(await perCode.consume(used)).allowed) return { result: "wrong" };
  let isRight = false;
  try {
    const result = await check();
    isRight = result.result === "right";
    return result;
  } finally {
    if (!isRight) await perCode.refund(used);
  }
}

/** Tries the code on each factor: a user may have set up several outside this site. */
async function tryFactors({ log }: SiteContext, signedIn: SignedIn, code: string): Promise<CodeResult> {
  const { supabase, user, wait } = signedIn;
  for (const { id, factor_type, status } of user.factors ?? []) {
    if (factor_type !== "totp" || status !== "verified") continue;
    const { error } = await wait(supabase.auth.mfa.challengeAndVerify({ factorId: id, code }));
    if (!error) return { result: "right" };
    if (isBusy(error)) return { result: "wait", retryAfterSeconds: quarterHour };
    if (isServiceFailure(error)) {
      log.error({ event: "second-factor.broken", ...describeError(error), status: error.status });
      return { result: "broken" };
    }
  }
  return { result: "wrong" };
}

/** Redeems a recovery or setup code through the edge function `second-factor`, which counts attempts itself. */
export async function redeemCode(
  site: SiteContext,
  signedIn: SignedIn,
  use: "recovery" | "setup",
  code: string,
): Promise<CodeResult> {
  const result = await redeem(site, signedIn, use, code);
  recordAttempt(site, `${use}-code`, result.result);
  return result;
}

async function redeem(
  ...[{ log }, { supabase, accessToken, wait }, use, code]: Parameters<typeof redeemCode>
): Promise<CodeResult> {
  const { data, error, response } = await wait(
    supabase.functions.invoke<unknown>("second-factor", {
      method: "POST",
      headers: { Authorization: `Bearer ${accessToken}` },
      body: { use, code },
    }),
  );
  if (!error && isAccepted(data)) {
    // Renews the tokens, so that a copy of the old ones gains nothing from the code. A failed renewal does not undo the
    // code.
    const renewed = await wait(supabase.auth.refreshSession()).catch((reason: unknown) => ({ error: reason }));
    if (renewed.error) log.error({ event: "second-factor.session-not-renewed", ...describeError(renewed.error) });
    return { result: "right" };
  }
  if (response?.status === 403) return { result: "wrong" };
  if (response?.status === 409) return { result: "has-factor" };
  if (response?.status === 429) return { result: "wait", retryAfterSeconds: quarterHour };
  const cause = error ? describeError(error) : { error: unrecognizedResponse };
  log.error({ event: "second-factor.broken", ...cause, status: response?.status });
  return { result: "broken" };
}
