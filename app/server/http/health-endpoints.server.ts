import type { ServerResponse } from "node:http";
import type { Health } from "../observability/health.server";
import { sendText } from "./send-text.server";

/** Whether a path is a probe's. */
export function isProbe(path: string): boolean {
  return path === "/healthz" || path === "/readyz";
}

/**
 * Answers the probes of an orchestrator: `/healthz` says that the process is alive, and whether it is still starting, and
 * asks nobody; `/readyz` says whether visitors should be sent here. Why not is told on the port of the metrics.
 * @param fail ends the request over an error
 * @returns false for every other path
 */
export function handleProbe(
  health: Health,
  path: string,
  response: ServerResponse,
  fail: (error: unknown) => void,
): boolean {
  if (path === "/healthz") {
    sendText(response, 200, health.isStarted() ? "ok\n" : "starting\n");
    return true;
  }
  if (!isProbe(path)) return false;
  sendReadiness(health, response, { inParts: false }).catch(fail);
  return true;
}

/**
 * Answers 200 or 503, and the same as JSON.
 * @param options `inParts` with everything that it depends on, which tells a stranger when to strike
 */
export async function sendReadiness(
  health: Health,
  response: ServerResponse,
  { inParts }: { inParts: boolean },
): Promise<void> {
  const readiness = await health.read();
  const { ready } = readiness;
  sendText(response, ready ? 200 : 503, `${JSON.stringify(inParts ? readiness : { ready })}\n`, {
    "Content-Type": "application/json; charset=utf-8",
  });
}
