import { setTimeout as wait } from "node:timers/promises";
import { rateLimitKey } from "~/lib/http/client-address";
import { type CallDependencies, callFunction, type FunctionCall } from "../backend/calls/call-function.server";
import type { Timeouts } from "../config/timeouts.server";
import type { AttemptLimit } from "./attempt-limit.server";

/** Result of requesting a link. None reveals if the address is known. `hours`: the most until a mail would go. */
export type LinkRequestOutcome =
  | { outcome: "sent"; hours: number }
  | { outcome: "line-full" | "unavailable" }
  | { outcome: "throttled"; retryAfterSeconds: number };

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
  const result = await callFunction(site, call);
  const isAccepted = result.outcome === "accepted";
  // A failed request does not count toward the limit.
  if (!isAccepted && client !== null) await limit.refund(client);
  await earliestAnswer;
  if (isAccepted) return { outcome: "sent", hours: result.hours };
  return { outcome: result.outcome === "line-full" ? "line-full" : "unavailable" };
}
