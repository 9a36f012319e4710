import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createHealth } from "../observability/health.server";
import { createLog } from "../observability/log.server";
import { createPrometheus } from "../observability/prometheus.server";
import { createRequestFailures } from "./refusals.server";
import { startMetricsServer } from "./metrics-server.server";

it("sends 500 when readiness cannot be read, and survives a failed accept", async () => {
  let printed = "";
  const sink = { write: (text: string) => void (printed += text) };
  const log = createLog(sink, sink);
  const failures = createRequestFailures(log, () => {}, {});
  const backend = {
    isOpen: () => true,
    probe: async () => ({ backend: "reachable", migrations: "applied" }) as const,
    health: () =>
      ({ rest: { breaker: "closed" }, auth: { breaker: "closed" }, functions: { breaker: "closed" } }) as const,
  };
  const health = createHealth(backend, () => Promise.reject(new Error("no such folder")), 0);
  const dependencies = { health, log, failures, defaultHeaders: { "X-Frame-Options": "DENY" }, versions: {} };
  const server = await startMetricsServer({ port: 0, host: "127.0.0.1" }, createPrometheus(), dependencies);
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect((await fetch(`${url}/readyz`)).status).toBe(500);
  // Node emits this when no file descriptor is left.
  server.emit("error", Object.assign(new Error("accept"), { code: "EMFILE" }));
  const { status, headers } = await fetch(`${url}/metrics`);
  expect([status, headers.get("x-frame-options")]).toEqual([200, "DENY"]);
  expect(printed).toMatch(/"event":"request.failed".*\n.*"event":"server.error".*"code":"EMFILE"/);
});
