import { createHmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { z } from "zod";
import { rateLimitKey } from "~/lib/http/client-address";
import {
  type CallDependencies,
  type FunctionCall,
  callDatabase,
  callFunction,
} from "../backend/calls/call-function.server";
import type { SupabaseClients } from "../backend/supabase-clients.server";
import type { Secrets } from "../config/secrets.server";
import type { Timeouts } from "../config/timeouts.server";
import type { Log } from "../observability/log.server";
import { type RateDecision, createRefusal, returnPoint, takePoint } from "./rate-limit.server";

/** Options of a limit. */
export interface AttemptLimitOptions {
  /** separates its counts from those of other limits */
  name: string;
  points: number;
  seconds: number;
}

/**
 * A limit on attempts with a password or code, shared by all processes: the database counts each attempt
 * (docs/decisions/0019-limits.md). A copy in memory refuses without a call, and decides alone while the
 * database cannot count.
 */
export type AttemptLimit = ReturnType<typeof createAttemptLimit>;

const totalSchema = z.array(z.object({ hits: z.int(), seconds_left: z.int().positive() }));

/** Creates a limit. Its copy in memory starts at 0. */
export function createAttemptLimit(
  site: { secrets: Secrets; supabase: SupabaseClients; log: Log },
  { name, points, seconds }: AttemptLimitOptions,
) {
  const copy = new RateLimiterMemory({ points, duration: seconds });

  /**
   * Derives the key that is stored instead of an address or account. Without the secret it can be neither forged nor
   * reversed.
   */
  function keyOf(subject: string): string {
    return createHmac("sha256", site.secrets.derive("rate-limits")).update(`${name}\0${subject}`).digest("base64url");
  }

  /** @returns the total of all processes; null when the database is unavailable, refuses, or has no room */
  async function count(subject_key: string, change: 1 | -1): Promise<z.output<typeof totalSchema>[0] | null> {
    const parameters = { subject_key, change, seconds };
    const call = { name: "count_attempt", failure: "limits.not-shared", parameters, result: totalSchema };
    return (await callDatabase(site, call))?.data[0] ?? null;
  }

  return {
    /** Takes one point. Never rejects. */
    async consume(subject: string): Promise<RateDecision> {
      const key = keyOf(subject);
      const decision = await takePoint(copy, key);
      if (!decision.allowed) return decision;
      const total = await count(key, 1);
      if (total === null) return decision;
      await copy.set(key, total.hits, total.seconds_left);
      return total.hits > points ? createRefusal(total.seconds_left) : decision;
    },
    /** Returns one point. Never rejects. */
    async refund(subject: string): Promise<void> {
      const key = keyOf(subject);
      await returnPoint(copy, key);
      await count(key, -1);
    },
  };
}

/** Result of requesting a link. None reveals if the address is known. `hours`: the most until a mail would go. */
export type LinkRequestOutcome =
  | { outcome: "accepted"; hours: number }
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
  if (isAccepted) return { outcome: "accepted", hours: result.hours };
  return { outcome: result.outcome === "line-full" ? "line-full" : "unavailable" };
}
