import { createHmac } from "node:crypto";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { withTimeout } from "~/lib/with-timeout";
import { deriveKey } from "./derived-key.server";
import { exchangeHits } from "./hit-exchange.server";

/** Whether one more is allowed, and if not, after how many seconds it will be. */
export type RateDecision = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/** What is counted, how much of it is allowed, and in what time. */
export interface LimitOptions {
  /** keeps it apart from everything else that is counted */
  name: string;
  points: number;
  seconds: number;
  /**
   * `always`: every decision takes all processes into account. `first`: only the first one about a key in this process;
   * later ones are told behind the answer, so that a process may let one more through than it should, and no post waits.
   */
  asks: "always" | "first";
}

/** No form waits longer for a counter. */
const patienceMs = 300;

/**
 * A limit that all processes keep together (docs/decisions/0019-limits-in-postgres.md).
 *
 * Each has a copy of the counts in memory, which decides; the database adds up everybody's hits, and its totals replace
 * the copy's. Without the database the copy goes on alone.
 */
export class SharedLimit {
  readonly #copy: RateLimiterMemory;

  constructor(private readonly options: LimitOptions) {
    this.#copy = new RateLimiterMemory({ points: options.points, duration: options.seconds });
  }

  /** Takes one point. A refusal by what is known here costs no call. Never rejects. */
  async take(subject: string): Promise<RateDecision> {
    const key = this.#keyOf(subject);
    const { refusal, isFirst } = await this.#takeHere(key);
    if (refusal) return refusal;
    const isUrgent = isFirst || this.options.asks === "always";
    const told = this.#tell(key, 1, isUrgent);
    if (!isUrgent) return { allowed: true };
    await withTimeout(told, patienceMs, () => undefined);
    const count = await this.#copy.get(key);
    return count && count.consumedPoints > this.options.points ? refuse(count) : { allowed: true };
  }

  /** Gives one point back that was taken. */
  async giveBack(subject: string): Promise<void> {
    const key = this.#keyOf(subject);
    // Past its time there is nothing to give back to.
    if (!(await this.#copy.get(key))) return;
    await this.#copy.reward(key);
    void this.#tell(key, -1, false);
  }

  async #takeHere(key: string): Promise<{ refusal?: RateDecision; isFirst: boolean }> {
    try {
      const { isFirstInDuration } = await this.#copy.consume(key);
      return { isFirst: isFirstInDuration };
    } catch (refusal) {
      // The library's way of saying "no" is a rejected promise.
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      return { refusal: refuse(refusal), isFirst: false };
    }
  }

  async #tell(key: string, hits: number, isUrgent: boolean): Promise<void> {
    const total = await exchangeHits({ key, hits, seconds: this.options.seconds, isUrgent });
    if (total) await this.#copy.set(key, total.hits, total.secondsLeft);
  }

  /** What the database sees instead of an address or an account: nobody else can make it, or find whom it means. */
  #keyOf(subject: string): string {
    return createHmac("sha256", deriveKey("rate-limits"))
      .update(`${this.options.name}\0${subject}`)
      .digest("base64url");
  }
}

function refuse({ msBeforeNext }: RateLimiterRes): RateDecision {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
}
