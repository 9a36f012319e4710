import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { ServerBuild } from "@remix-run/node";
import { getBackend } from "../backend.server";
import { reportPages } from "../health.server";
import { describeError, logProblem } from "../log.server";
import { getSessionSecret } from "../session-secret.server";
import { getSettings } from "../settings.server";
import type { MemoryForms } from "./answer-from-memory.server";
import { answerBrokenRequest } from "./broken-request.server";
import { endOnCrash } from "./crash.server";
import { startMetricsServer } from "./metrics-server.server";
import { createRequestListener } from "./request-listener.server";
import { stopOnSignal } from "./stop.server";
import { describeStart } from "./start-message.server";

/**
 * Starts the whole product: settings, backend, web server. Requests are answered from the line on that says so; the promise
 * resolves once the pages that are kept in memory are, too.
 * @throws SettingsError, DataFolderInUse or a listen error (the port is taken): nothing stays open behind it
 */
export async function startServer(build: ServerBuild, kept: MemoryForms): Promise<void> {
  const settings = getSettings();
  getSessionSecret();
  endOnCrash();
  const backend = await getBackend();
  const { listener, warmUp } = createRequestListener(build, kept, resolve("build/client"), resolve("public"));
  const server = createServer(
    {
      // A slow sender may not hold a connection for ever (RFC 9110 has no opinion; these are generous to slow phones).
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // How soon the two above are noticed; Node looks only every half minute by itself.
      connectionsCheckingInterval: 5_000,
      // Longer than the usual idle time of a proxy in front, so that it is never us who hang up on a request.
      keepAliveTimeout: 75_000,
    },
    listener,
  );
  server.on("clientError", answerBrokenRequest);
  let metrics: Server | null = null;
  try {
    metrics = settings.metrics ? await startMetricsServer(settings.metrics) : null;
    await new Promise<void>((listening, failed) => {
      server.once("error", failed);
      server.listen(settings.port, settings.host, listening);
    });
  } catch (error) {
    metrics?.close();
    await backend.close();
    throw error;
  }
  server.on("error", (error) => logProblem({ event: "server.error", ...describeError(error) }));
  stopOnSignal(server, backend, settings.drainSeconds);
  console.log(describeStart(settings, (server.address() as AddressInfo).port, backend.firstAdmin));
  reportPages("warming");
  await warmUp();
  reportPages("warm");
}
