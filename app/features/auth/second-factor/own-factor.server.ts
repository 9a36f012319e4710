import { renderSVG } from "uqr";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { adviceDismissedKey } from "../require-admin.server";
import { isBusy, isServiceFailure } from "../service-errors.server";
import type { CodeResult } from "../code-result";
import { readDigits, takeOnce } from "./second-factor.server";
import type { SignedIn } from "../signed-in.server";

/** A factor that waits for its first code, with the data that an authenticator app needs. */
export interface Enrollment {
  factorId: string;
  /** `otpauth://totp/…` with the key */
  uri: string;
}

/** The service requires a name. This site shows no list of factors. */
const friendlyName = "Authenticator app";

/** Starts to set up a factor and removes unfinished ones. Returns null if the service fails. */
export async function beginEnrollment({ log }: SiteContext, signedIn: SignedIn): Promise<Enrollment | null> {
  const { supabase, user, wait } = signedIn;
  for (const { id, status } of user.factors ?? [])
    if (status === "unverified") await wait(supabase.auth.mfa.unenroll({ factorId: id }));
  const { data, error } = await wait(supabase.auth.mfa.enroll({ factorType: "totp", friendlyName }));
  if (!error) return { factorId: data.id, uri: data.totp.uri };
  log.error({ event: "second-factor.broken", ...describeError(error), status: error.status });
  return null;
}

/** Verifies the first code of a factor, which activates it. */
export async function finishEnrollment(
  site: SiteContext,
  signedIn: SignedIn,
  factorId: string,
  typed: string,
): Promise<CodeResult> {
  const { supabase, wait } = signedIn;
  const code = readDigits(typed);
  return takeOnce(site, signedIn, code, async () => {
    const { error } = await wait(supabase.auth.mfa.challengeAndVerify({ factorId, code }));
    if (!error) return { result: "right" };
    if (isBusy(error)) return { result: "wait", retryAfterSeconds: 15 * 60 };
    return { result: isServiceFailure(error) ? "broken" : "wrong" };
  });
}

/** Replaces all recovery codes with ten new ones, written in groups of eight characters. Returns null on failure. */
export async function createRecoveryCodes(
  { log }: SiteContext,
  { supabase, wait }: SignedIn,
): Promise<string[] | null> {
  const { data, error } = await wait(supabase.rpc("create_recovery_codes"));
  if (!error) return (data as string[]).map((code) => code.replaceAll(/(.{8})(?=.)/g, "$1-"));
  log.error({ event: "second-factor.no-recovery-codes", ...describeError(error) });
  return null;
}

/** Counts the recovery codes that are left. Returns null on failure. */
export async function countRecoveryCodes({ supabase, wait }: SignedIn): Promise<number | null> {
  const { data, error } = await wait(supabase.rpc("count_recovery_codes", {}, { get: true }));
  return error ? null : Number(data);
}

/**
 * Removes all factors of the signed-in person and ends their other sessions first: a session that waits for a code
 * would otherwise get in with the password alone. The current session may then set up another factor.
 * @returns false if the service fails
 */
export async function removeFactors({ log }: SiteContext, { supabase, user, wait }: SignedIn): Promise<boolean> {
  let error: unknown = (await wait(supabase.rpc("begin_factor_removal"))).error;
  for (const { id } of user.factors ?? []) error ??= (await wait(supabase.auth.mfa.unenroll({ factorId: id }))).error;
  if (error) {
    log.error({ event: "second-factor.broken", ...describeError(error) });
    return false;
  }
  // The new token no longer claims a second factor.
  await wait(supabase.auth.refreshSession());
  return true;
}

/** Permanently dismisses the advice to set up a second factor. */
export async function dismissAdvice({ supabase, wait }: SignedIn): Promise<void> {
  await wait(supabase.auth.updateUser({ data: { [adviceDismissedKey]: true } }));
}

/**
 * Draws the QR code of an enrollment, with the quiet zone of four modules that ISO/IEC 18004 requires, as a data URL.
 */
export function drawQrCode(uri: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri, { border: 4 })).toString("base64")}`;
}

/** Extracts the key of an enrollment for manual entry, in groups of four characters. */
export function readKey(uri: string): string {
  return (new URL(uri).searchParams.get("secret") ?? "").replaceAll(/(.{4})(?=.)/g, "$1 ");
}
