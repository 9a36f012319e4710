import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type EmbeddedTestBackend, startEmbeddedTestBackend } from "../../database/support/embedded-backend.ts";
import { type HostedBackend, startHostedBackend } from "../../database/support/hosted-backend.ts";

/** A project with all services that the functions need, at one URL as when hosted. */
export interface HostedSite {
  /** The functions' SUPABASE_URL. */
  url: string;
  /** PostgreSQL and PostgREST. */
  backend: HostedBackend;
  /** The embedded authentication service, since the real one has no binary here. */
  people: EmbeddedTestBackend;
  close(): Promise<void>;
}

/**
 * Starts both and a gateway on the loopback address: `/rest/v1` goes to PostgREST, `/auth/v1` to the authentication
 * service.
 */
export async function startHostedSite(): Promise<HostedSite> {
  const [backend, people] = await Promise.all([startHostedBackend(), startEmbeddedTestBackend()]);
  const server = createServer(async (incoming, outgoing) => {
    const headers = new Headers(incoming.headers as Record<string, string>);
    const body = Buffer.concat(await incoming.toArray());
    const init = { method: incoming.method, headers, body: body.length > 0 ? body : undefined };
    const isAuth = incoming.url?.startsWith("/auth/v1/");
    // Two projects behind one URL: each knows only its own key.
    const own = `Bearer ${backend.rest.secretKey}`;
    if (isAuth && headers.get("apikey") === backend.rest.secretKey) headers.set("apikey", people.embedded.secretKey);
    if (isAuth && headers.get("authorization") === own)
      headers.set("authorization", `Bearer ${people.embedded.secretKey}`);
    const forward = isAuth ? people.embedded.fetch : backend.rest.fetch;
    const response = await forward(`http://project.localhost${incoming.url}`, init);
    const content = Buffer.from(await response.arrayBuffer());
    if (incoming.method === "POST" && incoming.url === "/auth/v1/admin/users" && response.ok) {
      // A real project has one database, so copy the new account to the other one.
      const { id, email } = JSON.parse(content.toString()) as { id: string; email: string };
      await backend.sql("insert into auth.users (id, email) values ($1, $2) returning id", [id, email]);
    }
    outgoing.writeHead(response.status, { "Content-Type": response.headers.get("content-type") ?? "text/plain" });
    outgoing.end(content);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    backend,
    people,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await Promise.all([backend.close(), people.close()]);
    },
  };
}
