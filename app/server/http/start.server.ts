import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { ServerBuild } from "@remix-run/node";
import { getBackend } from "../backend.server";
import { describeError, logProblem } from "../log.server";
import { getSessionSecret } from "../session-secret.server";
import { getSettings } from "../settings.server";
import { answerBrokenRequest } from "./broken-request.server";
import { createRequestListener } from "./request-listener.server";
import { stopOnSignal } from "./stop.server";
import { describeStart } from "./start-message.server";

/**
 * Starts the whole product: settings, backend, web server. The promise resolves once requests are answered.
 * @throws SettingsError, DataFolderInUse or a listen error (the port is taken): nothing stays open behind it
 */
export async function startServer(build: ServerBuild): Promise<void> {
  const settings = getSettings();
  getSessionSecret();
  const backend = await getBackend();
  const server = createServer(
    {
      // A slow sender may not hold a connection for ever (RFC 9110 has no opinion; these are generous to slow phones).
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      // Longer than the usual idle time of a proxy in front, so that it is never us who hang up on a request.
      keepAliveTimeout: 75_000,
    },
    createRequestListener(build, resolve("build/client"), resolve("public")),
  );
  server.on("clientError", answerBrokenRequest);
  try {
    await new Promise<void>((listening, failed) => {
      server.once("error", failed);
      server.listen(settings.port, settings.host, listening);
    });
  } catch (error) {
    await backend.close();
    throw error;
  }
  server.on("error", (error) => logProblem({ event: "server.error", ...describeError(error) }));
  stopOnSignal(server, backend);
  console.log(describeStart(settings, (server.address() as AddressInfo).port, backend.firstAdmin));
}
