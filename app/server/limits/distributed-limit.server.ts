import { createHmac } from "node:crypto";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { withTimeout } from "~/lib/with-timeout";
import type { Secrets } from "../config/secrets.server";
import type { RateLimitSync } from "./rate-limit-sync.server";

/** Whether one more is allowed, and if not, after how many seconds it will be. */
export type RateDecision = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/** What is counted, how much of it is allowed, and in what time. */
export interface DistributedLimitOptions {
  /** keeps it apart from everything else that is counted */
  name: string;
  points: number;
  seconds: number;
  /**
   * `every-hit`: every decision takes all processes into account. `first-hit`: only the first one about a key in this
   * process; later ones are told behind the answer, so that a process may let one more through than it should, and no post
   * waits.
   */
  sync: "every-hit" | "first-hit";
}

/** What a limit needs of its site. */
export interface LimitDependencies {
  secrets: Secrets;
  sync: RateLimitSync;
}

/**
 * A limit that all processes keep together (docs/decisions/backend/0019-limits-in-postgres.md).
 *
 * Each has a copy of the counts in memory, which decides; the database adds up everybody's hits, and its totals replace
 * the copy's. Without the database the copy goes on alone.
 */
export interface DistributedLimit {
  /** Takes one point. A refusal by what is known here costs no call. Never rejects. */
  consume(subject: string): Promise<RateDecision>;
  /** Tells if a subject has used up its points, as far as is known here. Takes none, and costs no call. */
  check(subject: string): Promise<RateDecision>;
  /** Gives one point back that was taken. */
  refund(subject: string): Promise<void>;
}

/** How long a form waits for the count of all processes. */
const maxWaitMs = 300;

/** Makes a limit whose counts begin at 0 in this process. */
export function createDistributedLimit(
  { name, points, seconds, sync: when }: DistributedLimitOptions,
  { secrets, sync }: LimitDependencies,
): DistributedLimit {
  const copy = new RateLimiterMemory({ points, duration: seconds });

  async function consumeHere(key: string): Promise<{ refusal?: RateDecision; isFirst: boolean }> {
    try {
      const { isFirstInDuration } = await copy.consume(key);
      return { isFirst: isFirstInDuration };
    } catch (refusal) {
      // The library's way of saying "no" is a rejected promise.
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { refusal: refuse(refusal), isFirst: false };
    }
  }

  async function share(key: string, hits: number, isUrgent: boolean): Promise<void> {
    const total = await sync.exchange({ key, hits, seconds, isUrgent });
    if (total) await copy.set(key, total.hits, total.secondsLeft);
  }

  /** Stored instead of an address or an account: without the secret it can be neither forged nor reversed. */
  function keyOf(subject: string): string {
    return createHmac("sha256", secrets.derive("rate-limits")).update(`${name}\0${subject}`).digest("base64url");
  }

  return {
    async consume(subject) {
      const key = keyOf(subject);
      const { refusal, isFirst } = await consumeHere(key);
      if (refusal) return refusal;
      const isUrgent = isFirst || when === "every-hit";
      const shared = share(key, 1, isUrgent);
      if (!isUrgent) return { allowed: true };
      await withTimeout(shared, maxWaitMs, () => undefined);
      const count = await copy.get(key);
      return count && count.consumedPoints > points ? refuse(count) : { allowed: true };
    },
    async check(subject) {
      const count = await copy.get(keyOf(subject));
      return count && count.consumedPoints > points ? refuse(count) : { allowed: true };
    },
    async refund(subject) {
      const key = keyOf(subject);
      // Past its time there is nothing to give back to.
      if (!(await copy.get(key))) return;
      await copy.reward(key);
      void share(key, -1, false);
    },
  };
}

function refuse({ msBeforeNext }: RateLimiterRes): RateDecision {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
}
