import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ["nothing where METRICS_PORT is not set", "", 0],
  ["requests where it is", "9464", 1],
])("counts %s", async (_what, port, series) => {
  vi.stubEnv("METRICS_PORT", port);
  vi.resetModules();
  const { countRequest, requestMetrics } = await import("~/server/metrics-requests.server");
  countRequest("/contact", 200, 0.005);
  const [counter] = requestMetrics;
  expect([...(await counter!.read())]).toHaveLength(series);
});
