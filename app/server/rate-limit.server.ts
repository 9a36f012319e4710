import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { rateLimitKey } from "~/lib/client-address";
import { getSettings } from "./settings.server";

/** Whether one more is allowed, and if not, after how many seconds it will be. */
export type RateDecision = { allowed: true } | { allowed: false; retryAfterSeconds: number };

const windowSeconds = 10 * 60;
let limiter: RateLimiterMemory | undefined;

/**
 * Counts one post of a client, or one other thing that writes to the database on its behalf.
 * @param address the client's, or null where it is unknown: one bucket for everybody would let a stranger shut the form
 * @param what is counted apart from everything else
 */
export async function countPost(address: string | null, what: "post" | "signal" = "post"): Promise<RateDecision> {
  const points = getSettings().postRateLimit;
  if (points === 0 || address === null) return { allowed: true };
  limiter ??= new RateLimiterMemory({ points, duration: windowSeconds });
  return consume(limiter, `${what} ${rateLimitKey(address)}`);
}

/** Takes one point, turning the library's way of saying "no" (a rejected promise) into a value. */
export async function consume(limit: RateLimiterMemory, key: string): Promise<RateDecision> {
  try {
    await limit.consume(key);
    return { allowed: true };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)) };
  }
}
