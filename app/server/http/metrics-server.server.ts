import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { isIP } from "node:net";
import type { Settings } from "../config/settings.server";
import type { Health } from "../observability/health.server";
import { type Log, describeError } from "../observability/log.server";
import type { Prometheus } from "../observability/prometheus.server";
import { sendReadiness } from "./health-endpoints.server";
import { listenOn } from "./http-server.server";
import { type RequestFailures, sendText } from "./refusals.server";

/** Parts of a site that its metrics server uses. */
interface MetricsServerParts {
  health: Health;
  log: Log;
  failures: RequestFailures;
  /** headers of every response, by name */
  defaultHeaders: Record<string, string>;
  /** sent with the readiness */
  versions: object;
}

/**
 * Starts the operator's server on a separate address. It serves Prometheus metrics at /metrics, which reveal how the
 * firm's business goes, and readiness with each dependency at /readyz.
 * @throws ListenFailed
 */
export async function startMetricsServer(
  { port, host }: NonNullable<Settings["metrics"]>,
  { read, contentType }: Prometheus,
  { health, log, failures, defaultHeaders, versions }: MetricsServerParts,
): Promise<Server> {
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOwnName(request.headers.host, host)) {
      sendText(response, 421, "Ask by the address, or by the name that METRICS_HOST has.\n");
    } else if (request.url === "/metrics" && request.method === "GET") {
      sendText(response, 200, await read(), { "Content-Type": contentType });
    } else if (request.url === "/readyz" && request.method === "GET") {
      await sendReadiness(health, response, { parts: versions });
    } else {
      sendText(response, 404, "Not found\n");
    }
  }
  const listener = failures.guard((request, response) => {
    for (const [name, value] of Object.entries(defaultHeaders)) response.setHeader(name, value);
    respond(request, response).catch((error: unknown) => failures.end(error, response));
  });
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, listener);
  await listenOn(server, { port, host }, { port: "METRICS_PORT", host: "METRICS_HOST" });
  // Emitted when a connection cannot be accepted for lack of a file descriptor.
  server.on("error", (error) => log.error({ event: "server.error", ...describeError(error) }));
  // An open metrics port must not keep the process alive; stopping the site closes it.
  server.unref();
  return server;
}

/**
 * Returns true if `Host` is a name that only the operator uses: an IP address, METRICS_HOST, or a name without a dot,
 * such as `localhost` or a container's name. A web page that points its own domain here (DNS rebinding) has none of
 * these.
 */
function isOwnName(host: string | undefined, configured: string): boolean {
  const name = host?.replace(/:\d{1,5}$/, "").toLowerCase() ?? "";
  return isIP(name.replace(/^\[|\]$/g, "")) > 0 || name === configured.toLowerCase() || /^[a-z0-9_-]+$/.test(name);
}
