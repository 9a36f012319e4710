import { once } from "node:events";
import { type Server, createServer } from "node:http";
import { isIP } from "node:net";
import type { Settings } from "../config/settings.server";
import type { Health } from "../observability/health.server";
import { watchProcess } from "../observability/process-metrics.server";
import { type Metric, expositionType, formatMetrics } from "../observability/prometheus-format.server";
import { sendReadiness } from "./health-endpoints.server";
import { sendText } from "./send-text.server";

/**
 * Serves what is for the operator only, on an address of its own: figures for Prometheus at /metrics, which tell how the
 * firm's business goes, and at /readyz the parts of the public /readyz.
 * @param siteMetrics figures beside those of the process
 * @throws a listen error (the port is taken)
 */
export async function startMetricsServer(
  { port, host }: NonNullable<Settings["metrics"]>,
  siteMetrics: readonly Metric[],
  health: Health,
): Promise<Server> {
  const metrics = [...siteMetrics, ...watchProcess()];
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, async (request, response) => {
    if (!isOwnName(request.headers.host, host)) {
      sendText(response, 421, "Ask by the address, or by the name that METRICS_HOST has.\n");
    } else if (request.url === "/metrics" && request.method === "GET") {
      sendText(response, 200, await formatMetrics(metrics), { "Content-Type": expositionType });
    } else if (request.url === "/readyz" && request.method === "GET") {
      await sendReadiness(health, response, { inParts: true });
    } else {
      sendText(response, 404, "Not found\n");
    }
  });
  server.listen(port, host);
  await once(server, "listening");
  // It never holds the process up; stopping ends it.
  server.unref();
  return server;
}

/**
 * Whether a request names this machine as only its operator does: by an address, by METRICS_HOST, or by a name without a
 * dot, as `localhost` and the names of containers are. A page that has its own domain point here (DNS rebinding) can do
 * none of these.
 */
function isOwnName(host: string | undefined, configured: string): boolean {
  const name = host?.replace(/:\d{1,5}$/, "").toLowerCase() ?? "";
  return isIP(name.replace(/^\[|\]$/g, "")) > 0 || name === configured.toLowerCase() || /^[a-z0-9_-]+$/.test(name);
}
