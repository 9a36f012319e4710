import type { AttemptLimit } from "~/server/limits/attempt-limit.server";

/** Decision about an attempt with a password or code: admitted, or the seconds to wait. */
export type AttemptDecision =
  | {
      admitted: true;
      /**
       * Must be called when the attempt is over, even after a failure.
       * @param isWrong true for a wrong password or code. Only that counts: an outage of the authentication service
       *   must not lock anyone out.
       */
      end(isWrong: boolean): Promise<void>;
    }
  | { admitted: false; retryAfterSeconds: number };

/**
 * Counts an attempt before it starts and refunds it unless it was wrong. Counting afterwards would let parallel
 * attempts slip through.
 * @param counters limits with the key that each counts
 */
export async function countAttempt(counters: [AttemptLimit, string][]): Promise<AttemptDecision> {
  const decisions = await Promise.all(counters.map(([limit, subject]) => limit.consume(subject)));
  const refused = decisions.find((decision) => !decision.allowed);
  if (!refused || refused.allowed)
    return { admitted: true, end: async (isWrong) => (isWrong ? undefined : refundAll(counters)) };
  // One limit refused the attempt, so refund the others.
  await refundAll(counters.filter((_, i) => decisions[i]?.allowed));
  return { admitted: false, retryAfterSeconds: refused.retryAfterSeconds };
}

async function refundAll(counters: [AttemptLimit, string][]): Promise<void> {
  await Promise.all(counters.map(([limit, subject]) => limit.refund(subject)));
}
