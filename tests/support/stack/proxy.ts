import { type IncomingMessage, type ServerResponse, createServer, request as httpRequest } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Where a request goes on this machine, and with which changes. */
export interface Forwarded {
  /** e.g. "http://127.0.0.1:9999" */
  origin: string;
  /** path and query; the request's own unless given */
  path?: string;
  /** set on the way; undefined removes one */
  headers?: Record<string, string | undefined>;
}

/** Where to, in the order of trying; a string is a refusal, said with 401, and an empty list is a path that nothing serves. */
export type Route = (request: IncomingMessage) => Forwarded[] | string;

/**
 * A plain reverse proxy on the loopback address. It goes to the next place when one takes no connection, and, for
 * requests that only read, also when one breaks off before it answers (RFC 9110, 9.2.2); when none is left it answers 502.
 * @param port 0 for any that is free
 * @param unknown its answer to a path that nothing serves: 404, or an empty 200, as Caddy does without a last `respond 404`
 */
export async function startProxy(
  port: number,
  route: Route,
  unknown: "404" | "empty-200" = "404",
): Promise<{ url: string; close(): void }> {
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming).catch(() => null);
    if (!body) return;
    const places = route(incoming);
    if (typeof places === "string") return refuse(outgoing, 401, places);
    if (places.length === 0 && unknown === "empty-200") return void outgoing.writeHead(200).end();
    if (places.length === 0) return refuse(outgoing, 404, "Not found");
    for (const place of places) if (await forward(incoming, body, outgoing, place)) return;
    refuse(outgoing, 502, "No answer from behind the proxy");
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** @returns whether the client has its answer, or must not get another */
async function forward(from: IncomingMessage, body: Buffer, to: ServerResponse, place: Forwarded): Promise<boolean> {
  const { origin, path = from.url, headers } = place;
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
    // How it was sent here says nothing about the next stretch of the way (RFC 9112, 6.1): a client of HTTP/1.0 knows no chunks.
    const ownWay = new Set(["connection", "keep-alive", "transfer-encoding"]);
    const kept = answer.rawHeaders.filter(
      (_, index, all) => !ownWay.has((all[index - (index % 2)] ?? "").toLowerCase()),
    );
    to.writeHead(answer.statusCode ?? 502, kept);
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
