import { once } from "node:events";
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, createServer } from "node:http";
import { Server as ConnectionServer, type Socket } from "node:net";
import { setImmediate as afterPendingInput } from "node:timers/promises";
import { withTimeout } from "~/lib/with-timeout";
import type { Timeouts } from "../config/timeouts.server";
import { MeasuredResponse } from "../observability/track-request.server";
import type { SiteContext } from "../site-context.server";
import { bodyDurationMs, limitConnections, limitPipelining } from "./connections.server";
import type { EdgeParts } from "./edge.server";
import { createClientErrorHandler, maxHeaderSize } from "./refusals.server";

/**
 * Creates a server that limits the number and duration of connections, and processes one request per connection at a
 * time.
 * @returns `closeServer` closes it without losing a request ({@link closeGently})
 */
export function createHttpServer(
  { settings, timeouts }: SiteContext,
  listener: RequestListener,
  { noteRefusal, defaultHeaders, requests }: Pick<EdgeParts, "noteRefusal" | "defaultHeaders" | "requests">,
): { server: Server; closeServer: () => Promise<void> } {
  const server = createServer<typeof IncomingMessage, typeof ServerResponse>({
    ServerResponse: MeasuredResponse,
    maxHeaderSize,
    headersTimeout: timeouts.headers,
    // Time limits for bodies are enforced where they are read (createBodyReader).
    requestTimeout: timeouts.headers + bodyDurationMs(timeouts.body),
    // Node's default is 30 seconds.
    connectionsCheckingInterval: timeouts.connectionCheck,
    keepAliveTimeout: timeouts.keepAlive,
    // Node's own 400 would lack the security headers; the edge rejects these requests itself.
    requireHostHeader: false,
  });
  const connections = limitConnections(server, settings.trustedProxies === 0, noteRefusal);
  const onRequest = limitPipelining(listener, connections);
  server.on("request", onRequest);
  // Node would respond with 417 and bypass the edge. A server may ignore unknown expectations (RFC 9110, 10.1.1).
  server.on("checkExpectation", onRequest);
  server.timeout = timeouts.reader;
  server.on("clientError", createClientErrorHandler(defaultHeaders, requests));
  return { server, closeServer: () => closeGently(server, () => connections.all.keys(), timeouts) };
}

/**
 * Shuts a server down gracefully: it accepts no more connections, and responds to requests on open ones. No request on
 * an accepted connection is lost. A client whose connection is idle the whole time sees it closed, as after any
 * keep-alive timeout. Resolves once no connection is left.
 *
 * Waits for the end of an event loop turn before each close. After a long task, the kernel may hold connections that
 * are not accepted yet and requests that are not read yet, and closing would reset both.
 */
async function closeGently(
  server: Server,
  connections: () => Iterable<Socket>,
  timeouts: Pick<Timeouts, "lastRequest" | "shutdown">,
): Promise<void> {
  await afterPendingInput();
  const closed = new Promise<true>((resolve) => {
    // Not the HTTP server's own `close`: it closes every connection that is between two requests, although the next
    // request may already be in transit.
    ConnectionServer.prototype.close.call(server, () => resolve(true));
  });
  let isClosed = await withTimeout(closed, timeouts.lastRequest, () => false);
  const deadline = performance.now() + timeouts.shutdown;
  while (!isClosed && performance.now() < deadline) {
    await afterPendingInput();
    server.closeIdleConnections();
    for (const socket of connections()) if (socket.bytesRead === 0) socket.destroy();
    isClosed = await withTimeout(closed, 50, () => false);
  }
  server.closeAllConnections();
  // Node no longer tracks connections that were upgraded or detached.
  for (const socket of connections()) socket.destroy();
  await withTimeout(closed, 1_000, () => false);
}

/** Thrown when the server cannot listen on its port or address. The message names the setting and the remedy. */
export class ListenFailed extends Error {
  override name = "ListenFailed";
}

/**
 * Starts a server listening.
 * @param settings names of the settings that hold its port and its address
 * @throws ListenFailed
 */
export async function listenOn(
  server: Server,
  { port, host }: { port: number; host: string },
  settings: { port: string; host: string },
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    throw code === "" ? error : new ListenFailed(explain(code, port, settings), { cause: error });
  }
}

function explain(code: string, port: number, settings: { port: string; host: string }): string {
  switch (code) {
    case "EADDRINUSE":
      return `Another program listens on port ${port} (${code}): stop it, or set ${settings.port} to another.`;
    case "EACCES":
      return `This user may not listen on port ${port} (${code}): set ${settings.port} to 1024 or more.`;
    default:
      return (
        `${settings.host} is no address that this machine can listen on (${code}): ` +
        "set it to 127.0.0.1 for this machine only, or to 0.0.0.0 for all its networks."
      );
  }
}
