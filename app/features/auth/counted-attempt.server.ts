import type { AttemptLimit } from "~/server/limits/attempt-limit.server";

/** One attempt with a password or code that may be made now, or for how long it may not. */
export type AttemptDecision =
  | {
      admitted: true;
      /**
       * Must be called when it is over, however it ended.
       * @param isWrong the password or code was: nothing else counts, so that an outage of the authentication service shuts nobody out
       */
      end(isWrong: boolean): Promise<void>;
    }
  | { admitted: false; retryAfterSeconds: number };

/**
 * Counts an attempt before it is made, and gives the points back unless it was wrong: many at once must not slip through together.
 * @param counters each with what it counts
 */
export async function countAttempt(counters: [AttemptLimit, string][]): Promise<AttemptDecision> {
  const decisions = await Promise.all(counters.map(([limit, subject]) => limit.consume(subject)));
  const refused = decisions.find((decision) => !decision.allowed);
  if (!refused || refused.allowed)
    return { admitted: true, end: async (isWrong) => (isWrong ? undefined : refundAll(counters)) };
  // One refusal is enough: what the others took for this attempt was not used.
  await refundAll(counters.filter((_, i) => decisions[i]?.allowed));
  return { admitted: false, retryAfterSeconds: refused.retryAfterSeconds };
}

async function refundAll(counters: [AttemptLimit, string][]): Promise<void> {
  await Promise.all(counters.map(([limit, subject]) => limit.refund(subject)));
}
