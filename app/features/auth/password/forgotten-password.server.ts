import { setTimeout as wait } from "node:timers/promises";
import { rateLimitKey } from "~/lib/http/client-address";
import { callFunction } from "~/server/backend/calls/call-function.server";
import { createAttemptLimit } from "~/server/limits/attempt-limit.server";
import type { SiteContext } from "~/server/site-context.server";

/** How it ended. Sent says nothing of whether there is an account. */
export type ForgottenOutcome =
  { outcome: "sent" | "unavailable" } | { outcome: "throttled"; retryAfterSeconds: number };

/** What one client may ask for; a mailbox has a limit of its own, in the database. */
const createLimit = (site: SiteContext) =>
  createAttemptLimit(site, { name: "forgotten-password", points: 5, seconds: 60 * 60 });

/**
 * Has a link to set a new password mailed, if the address has an account.
 * @param address the client's, or null where unknown
 */
export async function requestNewPassword(
  site: SiteContext,
  email: string,
  address: string | null,
): Promise<ForgottenOutcome> {
  const earliestAnswer = wait(site.timeouts.accountResponse);
  const limit = site.feature(createLimit);
  const client = address === null ? null : rateLimitKey(address);
  if (client !== null) {
    const decision = await limit.consume(client);
    if (!decision.allowed) return { outcome: "throttled", retryAfterSeconds: decision.retryAfterSeconds };
  }
  const isAccepted = await callFunction(site, {
    name: "account-links",
    failure: "account.link-not-requested",
    body: { action: "forgotten", email },
  });
  // A request that the service did not accept does not count.
  if (!isAccepted && client !== null) await limit.refund(client);
  await earliestAnswer;
  return { outcome: isAccepted ? "sent" : "unavailable" };
}
