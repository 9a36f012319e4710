import type { ServerResponse } from "node:http";
import { isBackendOpen } from "../backend/backend.server";
import { readReadiness } from "./health.server";
import { answerPlainly } from "../http/send-text.server";

/**
 * Answers the probes of an orchestrator: `/healthz` says that the process is alive, and whether it is still starting, and
 * asks nobody; `/readyz` says whether visitors should be sent here. Why not is told on the port of the metrics.
 * @returns false for every other path
 */
export function answerProbe(path: string, response: ServerResponse): boolean {
  if (path === "/healthz") {
    answerPlainly(response, 200, isBackendOpen() ? "ok\n" : "starting\n");
    return true;
  }
  if (path !== "/readyz") return false;
  void answerReadiness(response, { inParts: false });
  return true;
}

/**
 * Answers 200 or 503, and the same as JSON.
 * @param options `inParts` with everything that it depends on, which tells a stranger when to strike
 */
export async function answerReadiness(response: ServerResponse, { inParts }: { inParts: boolean }): Promise<void> {
  const readiness = await readReadiness();
  const { ready } = readiness;
  answerPlainly(response, ready ? 200 : 503, `${JSON.stringify(inParts ? readiness : { ready })}\n`, {
    "Content-Type": "application/json; charset=utf-8",
  });
}
