import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Starts a proxy that drops cookies in both directions, as some companies' proxies do.
 * @returns its address, and a function that stops it
 */
export async function startProxyWithoutCookies(target: string): Promise<{ url: string; stop: () => void }> {
  const { port: targetPort } = new URL(target);
  const server = createServer((incoming, response) => {
    const { cookie: _, ...headers } = incoming.headers;
    const outgoing = request({ port: targetPort, method: incoming.method, path: incoming.url, headers }, (upstream) => {
      const { "set-cookie": __, ...kept } = upstream.headers;
      response.writeHead(upstream.statusCode ?? 502, kept);
      upstream.pipe(response);
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
