import { redirect } from "@remix-run/node";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import { secondFactorPaths } from "../second-factor/second-factor-paths";
import { readSessionClaims } from "../access-token.server";
import { type Admin, hasSecondFactor } from "../require-admin.server";

/** After which an erasure, an export or a change of one's sign-in asks for the password, and the code if there is one, again. */
export const recentMinutes = 15;

/**
 * Tells whether a person authenticated within {@link recentMinutes}, by the claim `amr` of their access token. With a second factor
 * both its code and the password count.
 */
export function isRecent(accessToken: string, hasFactor: boolean, now = Date.now()): boolean {
  const { amr } = readSessionClaims(accessToken);
  return (hasFactor ? ["password", "totp"] : ["password"]).every((wanted) =>
    amr.some(({ method, timestamp }) => method === wanted && timestamp * 1_000 > now - recentMinutes * 60_000),
  );
}

/**
 * Lets pass who has signed in or confirmed of late.
 * @param next where to go on afterwards: a path of the admin area
 * @throws Response a redirect to where they confirm that it is them
 */
export function requireRecent({ signedIn, setCookies }: Pick<Admin, "signedIn" | "setCookies">, next: string): void {
  if (isRecent(signedIn.accessToken, hasSecondFactor(signedIn.user))) return;
  const address = `${secondFactorPaths.confirm}?next=${encodeURIComponent(next)}`;
  throw redirect(address, { status: 303, headers: createAdminHeaders(setCookies) });
}

/** A path of the admin area, or the inbox for anything else: nobody is sent to another site. */
export function parseNext(next: string | null): string {
  return next !== null && /^\/admin(?:\/[\w./-]*)?(?:\?[\w=&%.-]*)?$/.test(next) && !next.includes("..")
    ? next
    : "/admin";
}
