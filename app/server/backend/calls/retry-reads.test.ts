import { once } from "node:events";
import { type RequestListener, type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { retryReads } from "./retry-reads.server";
import { fetchWithDeadline } from "./deadline.server";

let server: Server;
let calls: string[];

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Starts a server that fails that many requests and answers the next ones. */
async function startServer(failures: number, fail: RequestListener): Promise<string> {
  calls = [];
  server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    if (calls.length <= failures) fail(request, response);
    else response.end("done");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hangUp: RequestListener = (request) => request.socket.destroy();
const sendUnavailable: RequestListener = (_request, response) => response.writeHead(503).end();
const read = fetchWithDeadline(retryReads(fetch), 2_000);

it.each([
  ["a broken connection", hangUp],
  ["a gateway without a server", sendUnavailable],
])("retries a read twice after %s", async (_name, fail) => {
  const url = await startServer(2, fail);
  expect(await (await read(`${url}/rest/v1/user_roles`)).text()).toBe("done");
  expect(calls).toHaveLength(3);
});

it("returns the third response when all three attempts fail", async () => {
  const url = await startServer(9, sendUnavailable);
  expect((await read(url, { method: "HEAD" })).status).toBe(503);
  expect(calls).toHaveLength(3);
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

it("does not retry a 500", async () => {
  const url = await startServer(1, (_request, response) => response.writeHead(500).end());
  expect((await read(url)).status).toBe(500);
  expect(calls).toHaveLength(1);
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
