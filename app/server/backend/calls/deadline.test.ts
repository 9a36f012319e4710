import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { type RequestListener, createServer } from "node:http";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
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

let calls: string[];

/** Starts a server that fails that many requests and answers the next ones. */
async function startServer(failures: number, fail: RequestListener): Promise<string> {
  calls = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    if (calls.length <= failures) fail(request, response);
    else response.end("done");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hangUp: RequestListener = (request) => request.socket.destroy();
const sendUnavailable: RequestListener = (_request, response) => response.writeHead(503).end();
const read = fetchWithDeadline(retryReads(fetch), 2_000);

it.each<[string, string, number, RequestListener, number, number]>([
  ["twice after a broken connection", "GET", 2, hangUp, 200, 3],
  ["twice after a gateway without a server", "GET", 2, sendUnavailable, 200, 3],
  ["no third time", "HEAD", 9, sendUnavailable, 503, 3],
  ["never after a 500", "GET", 1, (_request, response) => response.writeHead(500).end(), 500, 1],
])("retries a read %s", async (_case, method, failures, fail, status, attempts) => {
  const url = await startServer(failures, fail);
  expect((await read(`${url}/rest/v1/user_roles`, { method })).status).toBe(status);
  expect(calls).toHaveLength(attempts);
});

it("retries functions called by GET, and never repeats a POST", async () => {
  const url = await startServer(1, hangUp);
  const init = { method: "POST", body: "{}" };
  expect((await read(`${url}/rest/v1/rpc/read_inbox?folder=all`)).status).toBe(200);
  for (const path of ["/rest/v1/rpc/record_consent", "/functions/v1/send-contact-email", "/auth/v1/token"]) {
    calls.length = 0;
    await expect(read(url + path, init)).rejects.toThrow("fetch failed");
    expect(calls).toHaveLength(1);
  }
});

it("keeps all attempts within one call's deadline, and starts none after an abort", async () => {
  const url = await startServer(9, sendUnavailable);
  // Shorter than the shortest backoff, after which the second attempt would come.
  const late = fetchWithDeadline(retryReads(fetch), 2_000, performance.now() + 40);
  await expect(late(url)).rejects.toMatchObject({ name: "TimeoutError" });
  await expect(read(url, { signal: AbortSignal.abort() })).rejects.toBeDefined();
  // Three attempts of another read, which take longer than the backoff, and at most the first one of the late read.
  expect((await read(url)).status).toBe(503);
  expect(calls.length).toBeLessThanOrEqual(4);
});
