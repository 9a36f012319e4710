import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** @param path path and query of the request */
type Handle = (path: string, init: RequestInit & { headers: Headers }) => Promise<Response>;

/**
 * Starts a server on the loopback address for a handler of requests.
 * @param handle a failure of it closes the connection, such as when its database stops with calls under way
 */
export async function startFetchServer(handle: Handle): Promise<{ url: string; close(): void }> {
  const server = createServer((incoming, outgoing) => {
    const answer = async () => {
      const body = await buffer(incoming);
      const { method, url = "" } = incoming;
      const headers = new Headers(incoming.headers as Record<string, string>);
      const response = await handle(url, { method, headers, body: body.length > 0 ? body : null });
      const content = Buffer.from(await response.arrayBuffer());
      const kept = [...response.headers].filter(([name]) => !["connection", "transfer-encoding"].includes(name));
      outgoing.writeHead(response.status, Object.fromEntries(kept)).end(content);
    };
    answer().catch(() => outgoing.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}
