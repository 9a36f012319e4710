import type { ServerResponse } from "node:http";
import { readReadiness } from "../health.server";
import { answerPlainly } from "./plain-answer.server";

/**
 * Answers the probes of an orchestrator: `/healthz` says that the process is alive and asks nobody, `/readyz` whether
 * visitors should be sent here, with its parts as JSON.
 * @returns false for every other path
 */
export function answerProbe(path: string, response: ServerResponse): boolean {
  if (path === "/healthz") {
    answerPlainly(response, 200, "ok\n");
    return true;
  }
  if (path !== "/readyz") return false;
  void answerReadiness(response);
  return true;
}

async function answerReadiness(response: ServerResponse): Promise<void> {
  const readiness = await readReadiness();
  answerPlainly(response, readiness.ready ? 200 : 503, `${JSON.stringify(readiness)}\n`, {
    "Content-Type": "application/json; charset=utf-8",
  });
}
