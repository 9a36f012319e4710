import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a proxy that drops cookies in both directions, as some companies' do. @returns its address, and how to stop it */
export async function startProxyWithoutCookies(target: string): Promise<{ url: string; stop: () => void }> {
  const { port: targetPort } = new URL(target);
  const server = createServer((incoming, response) => {
    const { cookie: _, ...headers } = incoming.headers;
    const outgoing = request({ port: targetPort, method: incoming.method, path: incoming.url, headers }, (answer) => {
      const { "set-cookie": __, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(response);
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
