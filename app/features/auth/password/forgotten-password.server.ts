import { setTimeout as wait } from "node:timers/promises";
import { rateLimitKey } from "~/lib/http/client-address";
import { callFunction } from "~/server/backend/calls/call-function.server";
import { createAttemptLimit } from "~/server/limits/attempt-limit.server";
import type { SiteContext } from "~/server/site-context.server";

/** Result of requesting a link. `sent` does not reveal if the account exists. */
export type ForgottenOutcome =
  { outcome: "sent" | "unavailable" } | { outcome: "throttled"; retryAfterSeconds: number };

/** Limits requests per client. The database also limits them per mailbox. */
const createLimit = (site: SiteContext) =>
  createAttemptLimit(site, { name: "forgotten-password", points: 5, seconds: 60 * 60 });

/**
 * Requests an email with a link to set a new password, sent only if the email address has an account.
 * @param address of the client, or null if unknown
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
  // A failed request does not count toward the limit.
  if (!isAccepted && client !== null) await limit.refund(client);
  await earliestAnswer;
  return { outcome: isAccepted ? "sent" : "unavailable" };
}
