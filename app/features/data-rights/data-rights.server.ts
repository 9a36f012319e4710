import { type CallResult, callFunction } from "~/server/backend/calls/call-function.server";
import { clientCodeHeader } from "~/server/limits/client-code.server";
import type { SiteContext } from "~/server/site-context.server";
import type { DataRightsRequest } from "#supabase/functions/_shared/data-rights-request";

/**
 * Stores a data rights request, which starts its deadline (GDPR, article 12(3)). "accepted" means that it is stored;
 * the email with reference, due date and links is queued with it. After any other outcome but "line-full", it may be
 * stored; retrying is safe, because equal requests are stored once. The result does not depend on whether the address is
 * known.
 * @param request validated form
 * @param address the visitor's IP address, if known; used for rate limits, and not stored
 */
export async function requestDataRights(
  site: SiteContext,
  request: DataRightsRequest,
  address: string | null,
): Promise<CallResult> {
  return callFunction(site, {
    name: "receive-data-rights-request",
    failure: "data-rights.unavailable",
    body: request,
    headers: clientCodeHeader(site, address),
  });
}
