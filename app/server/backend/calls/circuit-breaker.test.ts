import { describe, expect, it } from "vitest";
import { Breaker, type CallOutcome } from "./circuit-breaker.server";

function startBreaker() {
  let now = 0;
  const breaker = new Breaker({ failures: 3, resetTimeoutMs: 1_000 }, () => now);
  const call = (outcome: CallOutcome) => {
    const settle = breaker.tryAcquire();
    settle?.(outcome);
    return settle !== null;
  };
  return { breaker, call, pass: (ms: number) => void (now += ms) };
}

describe("a breaker", () => {
  it("opens after consecutive failures, and not if a success came between them", () => {
    const { breaker, call } = startBreaker();
    for (const outcome of ["failed", "failed", "succeeded", "failed", "failed", "ignored"] as const) call(outcome);
    expect(breaker.state).toBe("closed");
    call("failed");
    expect(breaker.state).toBe("open");
    expect(call("succeeded")).toBe(false);
  });

  it("allows one trial call after the reset timeout, and no second one before it ends", () => {
    const { breaker, call, pass } = startBreaker();
    for (let i = 0; i < 3; i++) call("failed");
    pass(999);
    expect(breaker.tryAcquire()).toBeNull();
    pass(1);
    expect(breaker.state).toBe("half-open");
    const settle = breaker.tryAcquire();
    expect(settle).not.toBeNull();
    expect(breaker.tryAcquire()).toBeNull();
    settle?.("succeeded");
    expect(breaker.state).toBe("closed");
    // Earlier failures no longer count.
    call("failed");
    expect(breaker.state).toBe("closed");
  });

  it("opens again after a failed trial call, and allows another trial after an ignored one", () => {
    const { breaker, call, pass } = startBreaker();
    for (let i = 0; i < 3; i++) call("failed");
    pass(1_000);
    expect(call("ignored")).toBe(true);
    expect(breaker.state).toBe("half-open");
    expect(call("failed")).toBe(true);
    expect(breaker.state).toBe("open");
    expect(call("succeeded")).toBe(false);
  });
});
