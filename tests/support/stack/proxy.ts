import { type IncomingMessage, type ServerResponse, createServer, request as httpRequest } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A target of a request on this machine, with the changes to make on the way. */
export interface ProxyTarget {
  /** e.g. "http://127.0.0.1:9999" */
  origin: string;
  /** path and query; by default the request's */
  path?: string;
  /** headers to set; undefined removes one */
  headers?: Record<string, string | undefined>;
}

/** Returns the targets in the order to try them. An empty list means an unknown path. */
export type Route = (request: IncomingMessage) => ProxyTarget[];

/**
 * Starts a plain reverse proxy on the loopback address. It tries the next target when one refuses the connection, and
 * for safe methods also when one breaks off before its response (RFC 9110, 9.2.2). With no target left it responds with
 * 502.
 * @param port 0 for any free port
 * @param unknown response to an unknown path: 404, or an empty 200 like Caddy without a final `respond 404`
 */
export async function startProxy(
  port: number,
  route: Route,
  unknown: "404" | "empty-200" = "404",
): Promise<{ url: string; close(): void }> {
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming).catch(() => null);
    if (!body) return;
    const targets = route(incoming);
    if (targets.length === 0 && unknown === "empty-200") return void outgoing.writeHead(200).end();
    if (targets.length === 0) return refuse(outgoing, 404, "Not found");
    for (const target of targets) if (await forward(incoming, body, outgoing, target)) return;
    refuse(outgoing, 502, "No answer from behind the proxy");
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Forwards the request to one target. @returns true when the client has its response or must not get a second one */
async function forward(from: IncomingMessage, body: Buffer, to: ServerResponse, target: ProxyTarget): Promise<boolean> {
  const { origin, path = from.url, headers } = target;
  const mayRepeat = from.method === "GET" || from.method === "HEAD";
  const onward = httpRequest(origin, {
    method: from.method,
    path,
    agent: false,
    headers: Object.fromEntries(
      Object.entries({ ...from.headers, connection: "close", ...headers }).filter(([, value]) => value !== undefined),
    ),
  });
  try {
    onward.end(body);
    const [answer] = (await once(onward, "response")) as [IncomingMessage];
    // These headers apply to one hop only (RFC 9112, 6.1): a client of HTTP/1.0 does not understand chunks.
    const hopHeaders = new Set(["connection", "keep-alive", "transfer-encoding"]);
    const forwardedHeaders = answer.rawHeaders.filter(
      (_, index, all) => !hopHeaders.has((all[index - (index % 2)] ?? "").toLowerCase()),
    );
    to.writeHead(answer.statusCode ?? 502, forwardedHeaders);
    answer.on("error", () => to.destroy()).pipe(to);
    return true;
  } catch (error) {
    if (mayRepeat || (error as NodeJS.ErrnoException).code === "ECONNREFUSED") return false;
    refuse(to, 502, "The answer broke off");
    return true;
  }
}

function refuse(to: ServerResponse, status: number, message: string): void {
  to.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify({ message }));
}
