import type { BreakerState } from "../../observability/health.server";

/** Outcome of a call; `ignored`: we canceled it, so it does not count. */
export type CallOutcome = "succeeded" | "failed" | "ignored";

/** Limits of a breaker. */
export interface BreakerLimits {
  /** consecutive failures that open it */
  failures: number;
  /** time until one trial call is made */
  resetTimeoutMs: number;
}

/**
 * Circuit breaker: stops calling a service that does not respond, so that callers do not each wait for a timeout.
 *
 * It is closed until several consecutive calls have failed, then open for a while, then half-open: the result of one
 * trial call closes it or opens it again. It is our own, because opossum counts an ignored call as a success, which
 * closes the breaker, and keeps timers running. This class is three states, a count and a clock
 * (docs/decisions/0018-backend-trouble.md).
 */
export class Breaker {
  #failures = 0;
  #openUntil: number | null = null;
  #isTrying = false;

  /** @param now monotonic clock in milliseconds */
  constructor(
    private readonly limits: BreakerLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get state(): BreakerState {
    if (this.#openUntil === null) return "closed";
    return this.now() < this.#openUntil ? "open" : "half-open";
  }

  /**
   * Asks for permission to make a call.
   * @returns a function to call once with the outcome; null if the call must not be made
   */
  tryAcquire(): ((outcome: CallOutcome) => void) | null {
    if (this.state === "closed") return (outcome) => this.#settle(outcome);
    if (this.state === "open" || this.#isTrying) return null;
    this.#isTrying = true;
    return (outcome) => {
      this.#isTrying = false;
      this.#settle(outcome);
    };
  }

  #settle(outcome: CallOutcome): void {
    if (outcome === "ignored") return;
    if (outcome === "succeeded") {
      this.#failures = 0;
      this.#openUntil = null;
      return;
    }
    this.#failures += 1;
    if (this.#failures >= this.limits.failures) this.#openUntil = this.now() + this.limits.resetTimeoutMs;
  }
}
