import type { SupabaseClient } from "@supabase/supabase-js";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";

/** Result of calling `bootstrap-admin`. `refused`: not on the list of admins. `trouble`: the call failed. */
export type RoleOffer = "granted" | "refused" | "trouble";

/**
 * Asks `bootstrap-admin` to make the signed-in person an admin if the operator named them (REQUIREMENTS 7.4).
 * @returns the result, read from the response status alone; logs trouble and never throws
 */
export async function offerAdminRole(
  { log }: Pick<SiteContext, "log">,
  supabase: SupabaseClient,
  accessToken: string,
): Promise<RoleOffer> {
  const { error, response } = await supabase.functions.invoke<unknown>("bootstrap-admin", {
    method: "POST",
    headers: { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" },
  });
  if (!error) return "granted";
  if (response?.status === 403) return "refused";
  log.error({ event: "login.bootstrap-admin-failed", ...describeError(error), status: response?.status });
  return "trouble";
}
