import type { SupabaseClient } from "@supabase/supabase-js";
import { describeError } from "~/server/observability/log.server";
import type { SiteContext } from "~/server/site-context.server";

/** Result of a call of `bootstrap-admin`. `refused`: they are on no list of admins. `trouble`: nobody knows. */
export type RoleOffer = "granted" | "refused" | "trouble";

/**
 * Has `bootstrap-admin` make the signed-in person an admin if the operator named them (REQUIREMENTS 7.4).
 * @returns the result by the response's status alone; trouble is logged, never thrown
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
