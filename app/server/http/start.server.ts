import { type RequestListener, type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { ServerBuild } from "@remix-run/node";
import { type Backend, type ReservedBackend, reserveBackend } from "../backend/backend.server";
import { sendConsoleToLog } from "../observability/console-lines.server";
import { isDraining, reportPages } from "../observability/health.server";
import { describeError, log, logProblem } from "../observability/log.server";
import { getSessionSecret } from "../config/session-secret.server";
import { type Settings, getSettings } from "../config/settings.server";
import { answerBrokenRequest } from "./client-error-handler.server";
import { endOnCrash } from "../observability/crash.server";
import { startMetricsServer } from "../observability/metrics-server.server";
import { limitConnections } from "./connection-limits.server";
import type { FindPageVariant } from "./cache/page-cache.server";
import { createRequestListener } from "./request-listener.server";
import { maxHeaderSize } from "./request-size.server";
import { describeStart } from "./startup-banner.server";
import { stopOnSignal } from "./stop.server";

/**
 * Starts the whole product: settings, web server, backend. Pages are answered at once and forms wait for the backend
 * (docs/decisions/0025-listen-first.md); the line that says "Ready" is printed when it is there. The promise resolves
 * once the pages that are kept in memory are, too.
 * @throws SettingsError, DataFolderInUse or a listen error (the port is taken): then nobody has been answered
 * @throws MigrationFailed, or whatever else keeps the backend from opening: then no form has been accepted
 */
export async function startServer(build: ServerBuild, findVariant: FindPageVariant): Promise<void> {
  const settings = getSettings();
  endOnCrash();
  sendConsoleToLog();
  const reserved = await reserveBackend();
  const { server, warmUp, hangUp } = await listen(build, findVariant, settings, reserved);
  const backend = await openOrHangUp(reserved, hangUp);
  // A password that was generated is shown now or never, even if the process is about to end.
  if (backend === null || (isDraining() && !backend.firstAdmin)) return;
  const port = (server.address() as AddressInfo | null)?.port ?? settings.port;
  process.stdout.write(`${describeStart(settings, port, backend.firstAdmin)}\n`);
  if (isDraining()) return;
  reportPages("warming");
  await warmUp();
  reportPages("warm");
  log({ event: "pages.warm" });
}

/** @throws what keeps it from listening; nothing stays open or reserved behind it */
async function listen(build: ServerBuild, findVariant: FindPageVariant, settings: Settings, reserved: ReservedBackend) {
  let metrics: Server | null = null;
  try {
    // After the data folder is ours: a restore may just have brought the secret.
    getSessionSecret();
    const { listener, warmUp } = createRequestListener(build, findVariant, resolve("build/client"), resolve("public"));
    const server = createHttpServer(listener);
    limitConnections(server, settings.trustedProxies === 0);
    const { hangUp } = stopOnSignal(server, reserved, settings.drainSeconds);
    metrics = settings.metrics ? await startMetricsServer(settings.metrics) : null;
    await new Promise<void>((listening, failed) => {
      server.once("error", failed);
      server.listen(settings.port, settings.host, listening);
    });
    server.on("error", (error) => logProblem({ event: "server.error", ...describeError(error) }));
    return { server, warmUp, hangUp };
  } catch (error) {
    metrics?.close();
    await reserved.close();
    throw error;
  }
}

const requestTimeoutMs = 30_000;
const checkEveryMs = 5_000;

function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    {
      maxHeaderSize,
      // A slow sender may not hold a connection for ever (RFC 9110 has no opinion; these are generous to slow phones).
      headersTimeout: 10_000,
      requestTimeout: requestTimeoutMs,
      // How soon the two above are noticed; Node looks only every half minute by itself.
      connectionsCheckingInterval: checkEveryMs,
      // Longer than the usual idle time of a proxy in front, so that it is never us who hang up on a request.
      keepAliveTimeout: 75_000,
    },
    listener,
  );
  // Nor may a reader who takes nothing of what was asked for. Later than the limits above, which answer with a 408.
  server.timeout = requestTimeoutMs + checkEveryMs + 1_000;
  server.on("clientError", answerBrokenRequest);
  return server;
}

/** @returns null when a signal has ended the start: whoever handles it ends the process as well */
async function openOrHangUp(reserved: ReservedBackend, hangUp: () => Promise<void>): Promise<Backend | null> {
  try {
    return await reserved.open();
  } catch (error) {
    if (isDraining()) return null;
    // Whoever waited has been told that it did not work, on a page that keeps what they wrote.
    await hangUp();
    throw error;
  }
}
