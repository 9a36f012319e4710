import type { ServerResponse } from "node:http";
import type { Health } from "../observability/health.server";
import type { Step } from "./exchange.server";
import { type RequestFailures, sendText } from "./refusals.server";

/** Returns true for the paths of health probes. */
export function isProbe(path: string): boolean {
  return path === "/healthz" || path === "/readyz";
}

/**
 * Responds to an orchestrator's probes. `/healthz` reports that the process is alive, and whether it is still starting;
 * it checks no dependency. `/readyz` reports whether the site can receive visitors. The metrics port gives the reason.
 */
export function respondToProbes(health: Health, failures: Pick<RequestFailures, "end">): Step {
  return (exchange, next) => {
    const { request, response, requestId } = exchange;
    const path = request.url ?? "";
    if (!isProbe(path)) return next();
    exchange.route = null;
    if (request.method !== "GET" && request.method !== "HEAD")
      sendText(response, 405, "Only GET and HEAD are allowed here.\n", { Allow: "GET, HEAD" });
    else if (path === "/healthz") sendText(response, 200, health.isStarted() ? "ok\n" : "starting\n");
    else
      sendReadiness(health, response, { parts: null }).catch((error: unknown) =>
        failures.end(error, response, requestId),
      );
  };
}

/**
 * Responds with 200 or 503, and with the readiness as JSON.
 * @param options `parts`: added with the state of each dependency, which would tell an attacker when to strike; or null
 */
export async function sendReadiness(
  health: Health,
  response: ServerResponse,
  { parts }: { parts: object | null },
): Promise<void> {
  const readiness = await health.read();
  const { ready } = readiness;
  sendText(response, ready ? 200 : 503, `${JSON.stringify(parts ? { ...readiness, ...parts } : { ready })}\n`, {
    "Content-Type": "application/json; charset=utf-8",
  });
}
