import { afterEach, expect, it, vi } from "vitest";
import { fetchWithDeadline, waitUntil } from "./deadline.server";

afterEach(() => {
  vi.useRealTimers();
});

/** Answers never, and ends as `fetch` does when its signal says so. */
const hangs: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
  });

/** Answers at once with a body that never ends. */
const endless: typeof fetch = async (_input, init) => {
  const body = new ReadableStream({
    start: (controller) => init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason)),
  });
  return new Response(body);
};

it("gives up on an answer that does not come, on a body that does not end, and after the deadline", async () => {
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

it("passes an answer through whole, an empty one included, and the caller's own abort", async () => {
  const answer = await fetchWithDeadline(
    async () => new Response("body", { status: 418, headers: { "X-A": "b" } }),
    2_000,
  )("http://x.example");
  expect([answer.status, answer.headers.get("x-a"), await answer.text()]).toEqual([418, "b", "body"]);
  expect(
    (await fetchWithDeadline(async () => new Response(null, { status: 204 }), 2_000)("http://x.example")).status,
  ).toBe(204);
  const controller = new AbortController();
  const call = fetchWithDeadline(hangs, 2_000)("http://x.example", { signal: controller.signal });
  controller.abort();
  await expect(call).rejects.toBeDefined();
});

it("waits for work until the deadline and no longer", async () => {
  await expect(waitUntil(performance.now() + 1_000, Promise.resolve(1))).resolves.toBe(1);
  await expect(waitUntil(performance.now() + 20, new Promise(() => {}))).rejects.toMatchObject({
    name: "TimeoutError",
  });
});
