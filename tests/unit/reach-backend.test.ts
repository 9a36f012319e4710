import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Backend } from "~/server/backend/backend.server";
import { backendHealth, reachBackend } from "~/server/backend/reach-backend.server";

let answer: () => Promise<Response>;
const backend: Backend = {
  url: "http://project.example",
  publishableKey: "sb_publishable_test",
  fetch: () => answer(),
  firstAdmin: null,
  close: async () => {},
};
const post = { method: "POST", body: "{}" };
const address = "http://project.example/functions/v1/send-contact-email";

beforeAll(() => {
  process.env.SUPABASE_URL = backend.url;
  process.env.SUPABASE_PUBLISHABLE_KEY = backend.publishableKey;
  process.env.SESSION_SECRET = "a secret of at least 32 characters";
});
afterEach(() => {
  vi.useRealTimers();
});

it("shows each part's state, and answers a 503 of its own instead of calling one that is away", async () => {
  // The operator's lines are told by tests of the routes; here they would only be noise.
  const quiet = [process.stderr, process.stdout].map((stream) => vi.spyOn(stream, "write").mockReturnValue(true));
  vi.useFakeTimers();
  const reach = reachBackend(backend);
  expect(backendHealth().functions).toEqual({ breaker: "closed", trouble: null });

  let calls = 0;
  answer = async () => {
    calls += 1;
    throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
  };
  for (let i = 0; i < 5; i++) await expect(reach(address, post)).rejects.toThrow("fetch failed");
  expect(backendHealth()).toEqual({
    rest: { breaker: "closed", trouble: null },
    auth: { breaker: "closed", trouble: null },
    functions: { breaker: "open", trouble: "unreachable" },
  });
  expect((await reach(address, post)).status).toBe(503);
  expect(calls).toBe(5);

  vi.advanceTimersByTime(5_000);
  expect(backendHealth().functions.breaker).toBe("half-open");
  answer = async () => Response.json({ ok: true });
  expect((await reach(address, post)).status).toBe(200);
  expect(backendHealth().functions).toEqual({ breaker: "closed", trouble: null });
  for (const spy of quiet) spy.mockRestore();
});

it("learns nothing about the backend from a caller who had no time left", async () => {
  answer = () => Promise.reject(new DOMException("late", "TimeoutError"));
  for (let i = 0; i < 6; i++) {
    const hurried = reachBackend(backend, performance.now() + 5);
    await expect(hurried(address, post)).rejects.toMatchObject({ name: "TimeoutError" });
  }
  expect(backendHealth().functions).toEqual({ breaker: "closed", trouble: null });
});
