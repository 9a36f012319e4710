import { callFunction } from "~/server/backend/calls/call-function.server";
import { clientCodeHeader } from "~/server/limits/client-code.server";
import type { SiteContext } from "~/server/site-context.server";
import type { DataRightsRequest } from "#supabase/functions/_shared/data-rights-request";

/** `unavailable`: nothing is known to be stored, and sending the same again is safe (one request at most). */
export type DataRightsOutcome = { outcome: "accepted" } | { outcome: "unavailable" };

/**
 * Stores a data rights request, which starts its deadline (GDPR, article 12(3)). Accepted means that it is stored; the mail
 * with reference, due date and links goes out on its own. Whether the address is known makes no difference.
 * @param request validated form
 * @param address the visitor's, where known; counted by, and stored nowhere
 */
export async function requestDataRights(
  site: SiteContext,
  request: DataRightsRequest,
  address: string | null,
): Promise<DataRightsOutcome> {
  const isAccepted = await callFunction(site, {
    name: "receive-data-rights-request",
    failure: "data-rights.unavailable",
    body: request,
    headers: clientCodeHeader(site, address),
  });
  site.metrics.countDataRightsRequest(isAccepted ? "accepted" : "failed");
  return { outcome: isAccepted ? "accepted" : "unavailable" };
}
