import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A server of the operator's that TROUBLE_URL and HEARTBEAT_URL name. */
export interface HookServer {
  url: string;
  /** Requests so far: the body of a POST, or the method. */
  received: string[];
  /** Responds with this status from now on, or to nothing. */
  respond(status: number | "hang"): void;
  /** Lists the calls about trouble so far as `disk-low lasts`, sorted. */
  list(): string[];
  close(): void;
}

/** Starts a server on the loopback address. It responds 200 to everything. */
export async function startHookServer(): Promise<HookServer> {
  const received: string[] = [];
  let status: number | "hang" = 200;
  const server = createServer(async (request, response) => {
    received.push(request.method === "POST" ? await text(request) : (request.method ?? ""));
    if (status !== "hang") response.writeHead(status).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    respond: (next) => void (status = next),
    list: () =>
      received
        .filter((body) => body.startsWith("{"))
        .map((body) => {
          const { trouble, state } = JSON.parse(body) as Record<string, string>;
          return `${trouble} ${state}`;
        })
        .toSorted(),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
