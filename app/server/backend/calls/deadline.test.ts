import { afterEach, expect, it, vi } from "vitest";
import { fetchWithDeadline, waitUntil } from "./deadline.server";
import { retryReads } from "./retry-reads.server";

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

/** Creates reads of a backend that fails this many attempts and answers the next ones. */
function createReads(failures: number, fail: () => Promise<Response>) {
  const calls: string[] = [];
  const backend: typeof fetch = async (input, init) => {
    calls.push(String(input));
    init?.signal?.throwIfAborted();
    return calls.length <= failures ? fail() : new Response("done");
  };
  const readUntil = (deadline?: number) => fetchWithDeadline(retryReads(backend), 2_000, deadline);
  return { calls, read: readUntil(), readUntil };
}

const hangUp = () => Promise.reject(new TypeError("fetch failed"));
const send = (status: number) => async () => new Response(null, { status });
const url = "http://backend.example/rest/v1";

it.each([
  ["twice after a broken connection", "GET", 2, hangUp, 200, 3],
  ["twice after a gateway without a server", "GET", 2, send(503), 200, 3],
  ["no third time", "HEAD", 9, send(503), 503, 3],
  ["never after a 500", "GET", 1, send(500), 500, 1],
])("retries a read %s", async (_case, method, failures, fail, status, attempts) => {
  const { calls, read } = createReads(failures, fail);
  expect((await read(url, { method })).status).toBe(status);
  expect(calls).toHaveLength(attempts);
});

it("retries functions called by GET, and never repeats a POST", async () => {
  const called = createReads(1, hangUp);
  expect((await called.read(`${url}/rpc/read_inbox?folder=all`)).status).toBe(200);
  const posted = createReads(1, hangUp);
  await expect(posted.read(`${url}/rpc/record_consent`, { method: "POST", body: "{}" })).rejects.toThrow(
    "fetch failed",
  );
  expect(posted.calls).toHaveLength(1);
});

it("keeps all attempts within one call's deadline, and starts none after an abort", async () => {
  const { calls, read, readUntil } = createReads(9, send(503));
  // Shorter than the shortest backoff, after which the second attempt would come.
  await expect(readUntil(performance.now() + 40)(url)).rejects.toMatchObject({ name: "TimeoutError" });
  await expect(read(url, { signal: AbortSignal.abort() })).rejects.toBeDefined();
  // Three attempts of another read, which take longer than the backoff, and one of each read above.
  expect((await read(url)).status).toBe(503);
  expect(calls).toHaveLength(5);
});
