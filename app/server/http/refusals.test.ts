import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { type RequestListener, type Server, createServer } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import { type Log, createLog } from "../observability/log.server";
import { createRefusalReport, createRequestFailures } from "./refusals.server";
import type { Health } from "../observability/health.server";
import { createPrometheus } from "../observability/prometheus.server";
import { startMetricsServer } from "./metrics-server.server";

class Broken extends Error {
  override readonly name = "Broken";
}
const fail = () => {
  throw new Broken("ada@clinic.example");
};

it("sends 500 with the default headers when a listener throws, and drops other headers", async () => {
  const site = await start((_request, response) => {
    response
      .setHeader("Content-Encoding", "br")
      .setHeader("Set-Cookie", "a=1")
      .setHeader("Cache-Control", "max-age=60");
    fail();
  });
  const response = await fetch(site.url);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain("Try again");
  expect(response.headers.get("x-usual")).toBe("yes");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect([response.headers.get("content-encoding"), response.headers.get("set-cookie")]).toEqual([null, null]);
  expect(site.lines()).toEqual([expect.objectContaining({ level: "error", event: "request.failed", error: "Broken" })]);
  expect(site.printed()).not.toContain("ada@clinic.example");
  expect(site.count()).toBe(1);
});

it("closes the connection when the response has begun", async () => {
  const site = await start((_request, response) => {
    response.writeHead(200, { "Content-Length": 100 }).write("half");
    fail();
  });
  await expect(fetch(site.url).then((response) => response.text())).rejects.toThrow(TypeError);
  expect(site.count()).toBe(1);
});

it("closes the connection when even the 500 fails", async () => {
  const site = await start((_request, response) => {
    response.writeHead = fail;
    fail();
  });
  await expect(fetch(site.url)).rejects.toThrow("fetch failed");
});

it("survives a write after the end and completes the response", async () => {
  const site = await start((_request, response) => {
    response.end("whole");
    response.write("more");
  });
  expect(await (await fetch(site.url)).text()).toBe("whole");
  expect(site.lines()).toEqual([expect.objectContaining({ code: "ERR_STREAM_WRITE_AFTER_END" })]);
});

it("serves the other requests of the same event loop turn", async () => {
  const site = await start((request, response) => (request.url === "/" ? fail() : void response.end("fine")));
  const responses = await Promise.all(["/", "/other", "/", "/other"].map((path) => fetch(site.url + path)));
  expect(responses.map(({ status }) => status)).toEqual([500, 200, 500, 200]);
});

it("reports refused connections a second after the first, and then once a minute", () => {
  vi.useFakeTimers({ toFake: ["performance", "setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const error = vi.fn<Log["error"]>();
  const note = createRefusalReport({ error, warn: error, info: error }, () => undefined);
  note("connections");
  note("connections");
  vi.advanceTimersByTime(1_000);
  expect(error).toHaveBeenCalledExactlyOnceWith({ event: "places.refused", cause: "connections", count: 2 });
  note("connections");
  vi.advanceTimersByTime(59_999);
  expect(error).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1);
  expect(error).toHaveBeenCalledTimes(2);
});

it("sends 500 when readiness cannot be read, and survives a failed accept", async () => {
  const { log, failures, printed } = createFailures();
  const health = { read: () => Promise.reject(new Error("no such folder")) } as unknown as Health;
  const dependencies = { health, log, failures, defaultHeaders: { "X-Frame-Options": "DENY" }, versions: {} };
  const server = await startMetricsServer({ port: 0, host: "127.0.0.1" }, createPrometheus(), dependencies);
  onTestFinished(() => void server.close());
  const url = urlOf(server);
  expect((await fetch(`${url}/readyz`)).status).toBe(500);
  // Node emits this when no file descriptor is left.
  server.emit("error", Object.assign(new Error("accept"), { code: "EMFILE" }));
  const { status, headers } = await fetch(`${url}/metrics`);
  expect([status, headers.get("x-frame-options")]).toEqual([200, "DENY"]);
  expect(printed()).toMatch(/"event":"request.failed".*\n.*"event":"server.error".*"code":"EMFILE"/);
});

/** Creates the failures of a site, whose log and count can be read. */
function createFailures() {
  let printed = "";
  let count = 0;
  const sink = { write: (text: string) => void (printed += text) };
  const log = createLog(sink, sink);
  const failures = createRequestFailures(log, () => (count += 1), { "X-Usual": "yes" });
  return { log, failures, printed: () => printed, count: () => count };
}

async function start(listener: RequestListener) {
  const { failures, printed, count } = createFailures();
  const server = createServer(failures.guard(listener)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const lines = () =>
    printed()
      .split("\n")
      .flatMap((line) => (line ? [JSON.parse(line) as object] : []));
  return { url: urlOf(server), printed, lines, count };
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
