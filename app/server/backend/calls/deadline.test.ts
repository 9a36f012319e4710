import { afterEach, expect, it, vi } from "vitest";
import { fetchWithDeadline, waitUntil } from "./deadline.server";

afterEach(() => {
  vi.useRealTimers();
});

/** Never responds, and rejects as `fetch` does when its signal aborts. */
const hangs: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
  });

/** Responds immediately with a body that never ends. */
const endless: typeof fetch = async (_input, init) => {
  const body = new ReadableStream({
    start: (controller) => init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason)),
  });
  return new Response(body);
};

it("times out without a response, on an endless body, and after the deadline", async () => {
  vi.useFakeTimers();
  for (const stuck of [hangs, endless]) {
    const call = fetchWithDeadline(stuck, 2_000)("http://backend.example");
    const failure = call.then(
      () => "answered",
      (error: Error) => error.name,
    );
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await failure).toBe("TimeoutError");
  }
  const late = fetchWithDeadline(() => Promise.reject(new Error("must not be called")), 2_000, performance.now() - 1);
  await expect(late("http://backend.example")).rejects.toMatchObject({ name: "TimeoutError" });
});

it("passes responses through unchanged, even empty ones, and the caller's abort", async () => {
  const response = await fetchWithDeadline(
    async () => new Response("body", { status: 418, headers: { "X-A": "b" } }),
    2_000,
  )("http://x.example");
  expect([response.status, response.headers.get("x-a"), await response.text()]).toEqual([418, "b", "body"]);
  expect(
    (await fetchWithDeadline(async () => new Response(null, { status: 204 }), 2_000)("http://x.example")).status,
  ).toBe(204);
  const controller = new AbortController();
  const call = fetchWithDeadline(hangs, 2_000)("http://x.example", { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toBeDefined();
});

it("waits for work no longer than the deadline", async () => {
  await expect(waitUntil(performance.now() + 1_000, Promise.resolve(1))).resolves.toBe(1);
  await expect(waitUntil(performance.now() + 20, new Promise(() => {}))).rejects.toMatchObject({
    name: "TimeoutError",
  });
});
