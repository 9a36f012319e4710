/** `open`: calls are not made at all. `half-open`: the next one is made, to see. */
export type BreakerState = "closed" | "open" | "half-open";

/** How a call ended; `ignored`: we cancelled it, so it does not count. */
export type CallOutcome = "succeeded" | "failed" | "ignored";

/** When a breaker opens, and for how long. */
export interface BreakerLimits {
  /** failures in a row, with no success between them */
  failures: number;
  /** until one call is let through, to see */
  resetTimeoutMs: number;
}

/**
 * A circuit breaker: stops calls of a service that does not answer, so that not every caller waits for a timeout.
 *
 * Closed until several calls in a row have failed; then open for a while; then half-open: one call is let through, and
 * its end closes the breaker or opens it again. One of our own, because opossum takes an ignored call for a success, which closes
 * the breaker, and keeps timers; this is three states, a count and a clock (docs/decisions/backend/0018-backend-trouble.md).
 */
export class Breaker {
  #failures = 0;
  #openUntil: number | null = null;
  #isTrying = false;

  /** @param now milliseconds that only grow */
  constructor(
    private readonly limits: BreakerLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get state(): BreakerState {
    if (this.#openUntil === null) return "closed";
    return this.now() < this.#openUntil ? "open" : "half-open";
  }

  /**
   * Asks whether a call may be made.
   * @returns what must be told how the call ended, once; null when it may not be made
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
