import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { isIP } from "node:net";
import type { Settings } from "../config/settings.server";
import type { Health } from "../observability/health.server";
import { type Log, describeError } from "../observability/log.server";
import type { Prometheus } from "../observability/prometheus.server";
import type { RequestFailures } from "./edge/request-failures.server";
import { sendReadiness } from "./health-endpoints.server";
import { listenOn } from "./listen.server";
import { sendText } from "./send-text.server";

/**
 * Serves what is for the operator only, on an address of its own: figures for Prometheus at /metrics, which tell how the
 * firm's business goes, and at /readyz the parts of the public /readyz.
 * @throws ListenFailed
 */
export async function startMetricsServer(
  { port, host }: NonNullable<Settings["metrics"]>,
  { read, contentType }: Prometheus,
  { health, log, failures }: { health: Health; log: Log; failures: RequestFailures },
): Promise<Server> {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isOwnName(request.headers.host, host)) {
      sendText(response, 421, "Ask by the address, or by the name that METRICS_HOST has.\n");
    } else if (request.url === "/metrics" && request.method === "GET") {
      sendText(response, 200, await read(), { "Content-Type": contentType });
    } else if (request.url === "/readyz" && request.method === "GET") {
      await sendReadiness(health, response, { inParts: true });
    } else {
      sendText(response, 404, "Not found\n");
    }
  }
  const listener = failures.guard((request, response) => {
    answer(request, response).catch((error: unknown) => failures.end(error, response));
  });
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, listener);
  await listenOn(server, { port, host }, { port: "METRICS_PORT", host: "METRICS_HOST" });
  // Emitted when a connection cannot be taken, for want of a file descriptor.
  server.on("error", (error) => log.error({ event: "server.error", ...describeError(error) }));
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
