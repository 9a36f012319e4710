import { type RequestListener, type Server, createServer } from "node:http";
import type { Settings } from "../config/settings.server";
import type { Timeouts } from "../config/timeouts.server";
import type { RequestRecorder } from "../observability/track-request.server";
import { createClientErrorHandler } from "./edge/client-error-handler.server";
import { limitConnections } from "./edge/connection-limits.server";
import { createConnections } from "./edge/connections.server";
import { takeTurns } from "./edge/pipelining.server";
import { longestBodyMs } from "./edge/posted-body.server";
import type { NoteRefusal } from "./edge/refusal-report.server";
import { maxHeaderSize } from "./edge/request-size.server";
import { prepareClose } from "./graceful-close.server";

/** Dependencies of a server beside its listener. */
export interface ServerDependencies {
  settings: Pick<Settings, "trustedProxies">;
  timeouts: Timeouts;
  /** counts and logs what finds no place */
  noteRefusal: NoteRefusal;
  /** for what is answered before there is a request; `headers` are sent along */
  clientError: { headers: Record<string, string>; requests: RequestRecorder };
}

/**
 * Makes a server whose connections are bounded in number and in time, with one request at a time on each.
 * @returns `closeServer` ends it without losing a request (prepareClose)
 */
export function createHttpServer(
  listener: RequestListener,
  { settings, timeouts, noteRefusal, clientError }: ServerDependencies,
): { server: Server; closeServer: () => Promise<void> } {
  const connections = createConnections();
  const onRequest = takeTurns(listener, connections);
  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout: timeouts.headers,
      // Bodies are watched where they are read (edge/posted-body).
      requestTimeout: timeouts.headers + longestBodyMs(timeouts),
      // Node looks only every half minute by itself.
      connectionsCheckingInterval: timeouts.connectionCheck,
      keepAliveTimeout: timeouts.keepAlive,
      // Node's own 400 would lack the security headers; the edge refuses such a request itself.
      requireHostHeader: false,
    },
    onRequest,
  );
  // Node would answer 417 past everything above. A server may ignore expectations it does not know (RFC 9110, 10.1.1).
  server.on("checkExpectation", onRequest);
  connections.watch(server);
  server.timeout = timeouts.reader;
  server.on("clientError", createClientErrorHandler(clientError.headers, clientError.requests));
  limitConnections(server, settings.trustedProxies === 0, noteRefusal);
  return { server, closeServer: prepareClose(server, connections.all, timeouts) };
}
