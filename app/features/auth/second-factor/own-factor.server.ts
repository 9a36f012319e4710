import { renderSVG } from "uqr";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { adviceDismissedKey } from "../require-admin.server";
import { isServiceFailure } from "../service-errors.server";
import type { CodeResult } from "../code-result";
import { readDigits } from "./second-factor.server";
import type { SignedIn } from "../signed-in.server";

/** A factor that waits for its first code: what an authenticator app has to know. */
export interface Enrolment {
  factorId: string;
  /** `otpauth://totp/…` with the key */
  uri: string;
}

/** Shown in lists of factors, which this site has none of. */
const friendlyName = "Authenticator app";

/** Begins to set up a factor; one that was begun before and never finished goes. Null where the service does not do it. */
export async function beginEnrolment({ log }: SiteContext, signedIn: SignedIn): Promise<Enrolment | null> {
  const { supabase, user, wait } = signedIn;
  for (const { id, status } of user.factors ?? [])
    if (status === "unverified") await wait(supabase.auth.mfa.unenroll({ factorId: id }));
  const { data, error } = await wait(supabase.auth.mfa.enroll({ factorType: "totp", friendlyName }));
  if (!error) return { factorId: data.id, uri: data.totp.uri };
  log.error({ event: "second-factor.broken", ...describeError(error), status: error.status });
  return null;
}

/** Takes the first code of a factor, from which on it counts. */
export async function finishEnrolment(signedIn: SignedIn, factorId: string, code: string): Promise<CodeResult> {
  const { supabase, wait } = signedIn;
  const { error } = await wait(supabase.auth.mfa.challengeAndVerify({ factorId, code: readDigits(code) }));
  if (!error) return { result: "right" };
  if (error.status === 429) return { result: "wait", retryAfterSeconds: 15 * 60 };
  return { result: isServiceFailure(error) ? "broken" : "wrong" };
}

/** Ten new recovery codes in groups of five, in place of all older ones; null where they could not be made. */
export async function createRecoveryCodes(
  { log }: SiteContext,
  { supabase, wait }: SignedIn,
): Promise<string[] | null> {
  const { data, error } = await wait(supabase.rpc("create_recovery_codes"));
  if (!error) return (data as string[]).map((code) => code.replaceAll(/(.{5})(?=.)/g, "$1-"));
  log.error({ event: "second-factor.no-recovery-codes", ...describeError(error) });
  return null;
}

/** How many recovery codes are left; null where it is not known. */
export async function countRecoveryCodes({ supabase, wait }: SignedIn): Promise<number | null> {
  const { data, error } = await wait(supabase.rpc("count_recovery_codes", {}, { get: true }));
  return error ? null : Number(data);
}

/**
 * Takes all of somebody's factors away. Their other sessions end first: one that was opened with the password alone and waits for
 * a code would be good for everything. This one may set up another factor afterwards. False where the service does not do it.
 */
export async function removeFactors({ log }: SiteContext, { supabase, user, wait }: SignedIn): Promise<boolean> {
  const others = await wait(supabase.rpc("begin_factor_removal"));
  if (others.error) {
    log.error({ event: "second-factor.broken", ...describeError(others.error) });
    return false;
  }
  for (const { id } of user.factors ?? []) {
    const { error } = await wait(supabase.auth.mfa.unenroll({ factorId: id }));
    if (!error) continue;
    log.error({ event: "second-factor.broken", ...describeError(error), status: error.status });
    return false;
  }
  // So that the token no longer says that a second factor was used.
  await wait(supabase.auth.refreshSession());
  return true;
}

/** Waves off the advice to set up a second factor, for good. */
export async function dismissAdvice({ supabase, wait }: SignedIn): Promise<void> {
  await wait(supabase.auth.updateUser({ data: { [adviceDismissedKey]: true } }));
}

/** The picture of an enrolment for a camera (with the four modules of white that ISO/IEC 18004 asks for), as the address of an image. */
export function drawQrCode(uri: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri, { border: 4 })).toString("base64")}`;
}

/** The key of an enrolment for typing, in groups of four. */
export function readKey(uri: string): string {
  return (new URL(uri).searchParams.get("secret") ?? "").replaceAll(/(.{4})(?=.)/g, "$1 ");
}
