import { type SupabaseClient, type User } from "@supabase/supabase-js";
import { redirect } from "@remix-run/node";
import { createAdminHeaders } from "~/lib/http/admin-headers";
import type { Log } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";
import { secondFactorPaths } from "~/lib/pages/second-factor-paths";
import { type SignedIn, type Standing, redirectWithMessage, requireSignedIn } from "./signed-in.server";

/** A signed-in admin, and a client that reads with their rights. */
export interface Admin {
  client: { supabase: SupabaseClient; log: Log; unreadable: (string | null)[] };
  /** must go out with the response, or a refreshed session is lost */
  setCookies: string[];
  /** their address while they still use the password that the first start printed, else null */
  generatedPasswordOf: string | null;
  /** true if they have no second factor and have not dismissed the advice to set one up */
  advisesSecondFactor: boolean;
  signedIn: SignedIn;
}

/**
 * Requires a signed-in admin (REQUIREMENTS 7.3).
 * @param timeoutMs for all backend calls of the request together; defaults to the session's own limit
 * @throws Response a redirect to /login (not signed in) or / (not an admin), each with its message, or to the page that
 *   asks for the second factor, sets it up, or replaces the password of the first start; 503 when the backend does not respond
 */
export async function requireAdmin(site: SiteContext, request: Request, timeoutMs?: number): Promise<Admin> {
  const signedIn = await requireSignedIn(site, request, timeoutMs);
  const { supabase, user, standing, setCookies } = signedIn;
  if (standing !== "admin") throw redirectByStanding(site, standing, setCookies);
  // Set by the embedded backend (supabase/embedded/first-admin.ts). The first password change clears it.
  const generatedPasswordOf = user.app_metadata.password_is_generated === true ? (user.email ?? null) : null;
  if (generatedPasswordOf !== null && !isOpenAtFirst(new URL(request.url).pathname))
    throw redirect("/admin/account", { status: 303, headers: createAdminHeaders(setCookies) });
  return {
    client: { supabase, log: site.log, unreadable: [] },
    setCookies,
    generatedPasswordOf,
    advisesSecondFactor: !hasSecondFactor(user) && user.user_metadata[adviceDismissedKey] !== true,
    signedIn,
  };
}

/** Key in the user's own metadata: they dismissed the advice to set up a second factor. */
export const adviceDismissedKey = "second_factor_waived";

/** Checks if a page opens with the password that the first start printed: its log may still contain it. */
function isOpenAtFirst(path: string): boolean {
  return path.startsWith("/admin/account") || path === secondFactorPaths.confirm;
}

/** Checks for a verified second factor. */
export function hasSecondFactor({ factors = [] }: User): boolean {
  return factors.some(({ status }) => status === "verified");
}

function redirectByStanding(site: SiteContext, standing: Exclude<Standing, "admin">, setCookies: string[]) {
  if (standing === "none") return redirectWithMessage(site, "/", "notAdmin", setCookies);
  const path = standing === "challenge" ? secondFactorPaths.challenge : secondFactorPaths.own;
  return redirect(path, { status: 303, headers: createAdminHeaders(setCookies) });
}
