import { redirect } from "@remix-run/node";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { secondFactorPaths } from "~/lib/pages/second-factor-paths";
import { readSessionClaims } from "../access-token.server";
import { type Admin, hasSecondFactor } from "../require-admin.server";

/**
 * Minutes after which an erasure, an export, a letter to the network, a member's removal, or a change of admins or of
 * one's sign-in requires the password, and any second factor, again.
 */
export const recentMinutes = 15;

/**
 * Checks the claim `amr` of an access token for an authentication within {@link recentMinutes}. With a second factor,
 * both the password and the code must be recent.
 */
export function isRecent(accessToken: string, hasFactor: boolean, now = Date.now()): boolean {
  const { amr } = readSessionClaims(accessToken);
  return (hasFactor ? ["password", "totp"] : ["password"]).every((wanted) =>
    amr.some(({ method, timestamp }) => method === wanted && timestamp * 1_000 > now - recentMinutes * 60_000),
  );
}

/** Returns true after a recent sign-in or confirmation. A form with entries stays on its page otherwise (`ConfirmFirst`). */
export function hasRecentSignIn({ signedIn }: Pick<Admin, "signedIn">): boolean {
  return isRecent(signedIn.accessToken, hasSecondFactor(signedIn.user));
}

/**
 * Requires a recent sign-in or confirmation.
 * @param next path in the admin area to continue at after confirming
 * @throws Response a redirect to the page that confirms their identity
 */
export function requireRecent({ signedIn, setCookies }: Pick<Admin, "signedIn" | "setCookies">, next: string): void {
  if (hasRecentSignIn({ signedIn })) return;
  const address = `${secondFactorPaths.confirm}?next=${encodeURIComponent(next)}`;
  throw redirect(address, { status: 303, headers: createAdminHeaders(setCookies) });
}

/** Accepts a path in the admin area and replaces anything else with the inbox, to prevent open redirects. */
export function parseNext(next: string | null): string {
  return next !== null && /^\/admin(?:\/[\w./-]*)?(?:\?[\w=&%.-]*)?$/.test(next) && !next.includes("..")
    ? next
    : "/admin";
}
