import { once } from "node:events";
import { type Server, createServer } from "node:http";
import type { Settings } from "../settings.server";
import { consoleLines } from "../console-lines.server";
import { expositionType, formatMetrics } from "../metrics-exposition.server";
import { watchProcess } from "../metrics-process.server";
import { requestMetrics } from "../metrics-requests.server";
import { productMetrics } from "../metrics.server";
import { answerPlainly } from "./plain-answer.server";

/**
 * Serves figures for Prometheus at /metrics, on an address of their own: they tell how the firm's business goes.
 * @throws a listen error (the port is taken)
 */
export async function startMetricsServer({ port, host }: NonNullable<Settings["metrics"]>): Promise<Server> {
  const metrics = [...requestMetrics, ...productMetrics, consoleLines, ...watchProcess()];
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000 }, async (request, response) => {
    if (request.url !== "/metrics" || request.method !== "GET") {
      answerPlainly(response, 404, "Not found\n");
      return;
    }
    answerPlainly(response, 200, await formatMetrics(metrics), { "Content-Type": expositionType });
  });
  server.listen(port, host);
  await once(server, "listening");
  // It never holds the process up; stopping ends it.
  server.unref();
  return server;
}
