import { setTimeout as wait } from "node:timers/promises";
import { rateLimitKey } from "~/lib/http/client-address";
import { type CallDependencies, callFunction, type FunctionCall } from "../backend/calls/call-function.server";
import type { Timeouts } from "../config/timeouts.server";
import type { AttemptLimit } from "./attempt-limit.server";

/** Result of requesting a link. `sent` does not reveal if the address is known. */
export type LinkRequestOutcome =
  { outcome: "sent" | "unavailable" } | { outcome: "throttled"; retryAfterSeconds: number };

/**
 * Requests an email with a link. Neither the result nor its time reveals if the address is known.
 * @param limit on requests per client; the database also limits the mails per mailbox
 * @param address of the client, or null if unknown
 */
export async function requestLink(
  site: CallDependencies & { timeouts: Pick<Timeouts, "accountResponse"> },
  limit: AttemptLimit,
  address: string | null,
  call: FunctionCall,
): Promise<LinkRequestOutcome> {
  const earliestAnswer = wait(site.timeouts.accountResponse);
  const client = address === null ? null : rateLimitKey(address);
  if (client !== null) {
    const decision = await limit.consume(client);
    if (!decision.allowed) return { outcome: "throttled", retryAfterSeconds: decision.retryAfterSeconds };
  }
  const isAccepted = await callFunction(site, call);
  // A failed request does not count toward the limit.
  if (!isAccepted && client !== null) await limit.refund(client);
  await earliestAnswer;
  return { outcome: isAccepted ? "sent" : "unavailable" };
}
