import { type RequestListener, type Server, createServer } from "node:http";
import type { Settings } from "../config/settings.server";
import type { Timeouts } from "../config/timeouts.server";
import type { RequestRecorder } from "../observability/track-request.server";
import { createClientErrorHandler } from "./edge/client-error-handler.server";
import { limitConnections } from "./edge/connection-limits.server";
import { createConnections } from "./edge/connections.server";
import { limitPipelining } from "./edge/pipelining.server";
import { maxBodyDurationMs } from "./edge/posted-body.server";
import type { NoteRefusal } from "./edge/refusal-report.server";
import { maxHeaderSize } from "./edge/request-size.server";
import { prepareClose } from "./graceful-close.server";

/** Dependencies of a server, apart from its listener. */
export interface ServerDependencies {
  settings: Pick<Settings, "trustedProxies">;
  timeouts: Timeouts;
  /** Counts and logs connections that are refused for lack of a slot. */
  noteRefusal: NoteRefusal;
  /** For responses to input that is not a valid request; `headers` are added to each. */
  clientError: { headers: Record<string, string>; requests: RequestRecorder };
}

/**
 * Creates a server that limits the number and duration of connections, and processes one request per connection at a
 * time.
 * @returns `closeServer` closes it without losing a request (prepareClose)
 */
export function createHttpServer(
  listener: RequestListener,
  { settings, timeouts, noteRefusal, clientError }: ServerDependencies,
): { server: Server; closeServer: () => Promise<void> } {
  const connections = createConnections();
  const onRequest = limitPipelining(listener, connections);
  const server = createServer(
    {
      maxHeaderSize,
      headersTimeout: timeouts.headers,
      // Time limits for bodies are enforced where they are read (edge/posted-body).
      requestTimeout: timeouts.headers + maxBodyDurationMs(timeouts),
      // Node's default is 30 seconds.
      connectionsCheckingInterval: timeouts.connectionCheck,
      keepAliveTimeout: timeouts.keepAlive,
      // Node's own 400 would lack the security headers; the edge rejects these requests itself.
      requireHostHeader: false,
    },
    onRequest,
  );
  // Node would respond with 417 and bypass the edge. A server may ignore unknown expectations (RFC 9110, 10.1.1).
  server.on("checkExpectation", onRequest);
  connections.watch(server);
  server.timeout = timeouts.reader;
  server.on("clientError", createClientErrorHandler(clientError.headers, clientError.requests));
  limitConnections(server, settings.trustedProxies === 0, noteRefusal);
  return { server, closeServer: prepareClose(server, connections.all, timeouts) };
}
