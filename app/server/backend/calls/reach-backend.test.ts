import { afterEach, describe, expect, it, vi } from "vitest";
import type { Backend } from "~/server/backend/backend.server";
import { createBackendCalls } from "./reach-backend.server";
import { parseSettings } from "~/server/config/settings.server";
import { defaultTimeouts } from "~/server/config/timeouts.server";
import { createLog } from "~/server/observability/log.server";
import { Breaker, type CallOutcome } from "./circuit-breaker.server";

let respond: () => Promise<Response>;
const backend: Backend = {
  url: "http://project.example",
  publishableKey: "sb_publishable_test",
  fetch: () => respond(),
  firstAdmin: null,
  isUp: () => true,
  close: async () => {},
};
const post = { method: "POST", body: "{}" };
const address = "http://project.example/functions/v1/send-contact-email";

const settings = parseSettings({
  SUPABASE_URL: backend.url,
  SUPABASE_PUBLISHABLE_KEY: backend.publishableKey,
  SESSION_SECRET: "a secret of at least 32 characters",
});
// Route tests cover the log; here it would only be noise.
const quiet = { write: () => true };
const log = createLog(quiet, quiet);
const createCalls = () =>
  createBackendCalls({ settings, secrets: { site: () => null }, timeouts: defaultTimeouts, log });
const closed = { breaker: "closed" };

afterEach(() => {
  vi.useRealTimers();
});

it("reports each service's health, and returns 503 instead of calling one that is down", async () => {
  vi.useFakeTimers();
  const calls = createCalls();
  const reach = calls.reach(backend);
  expect(calls.health().functions).toEqual(closed);

  let count = 0;
  respond = async () => {
    count += 1;
    throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
  };
  for (let i = 0; i < 5; i++) await expect(reach(address, post)).rejects.toThrow("fetch failed");
  expect(calls.health()).toEqual({ rest: closed, auth: closed, functions: { breaker: "open" } });
  expect((await reach(address, post)).status).toBe(503);
  expect(count).toBe(5);

  vi.advanceTimersByTime(5_000);
  expect(calls.health().functions.breaker).toBe("half-open");
  respond = async () => Response.json({ ok: true });
  expect((await reach(address, post)).status).toBe(200);
  expect(calls.health().functions).toEqual({ breaker: "closed" });
});

it("ignores calls that a caller's deadline cut short", async () => {
  const calls = createCalls();
  respond = () => Promise.reject(new DOMException("late", "TimeoutError"));
  for (let i = 0; i < 6; i++) {
    const hurried = calls.reach(backend, performance.now() + 5);
    await expect(hurried(address, post)).rejects.toMatchObject({ name: "TimeoutError" });
  }
  expect(calls.health().functions).toEqual({ breaker: "closed" });
});

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
