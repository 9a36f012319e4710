import { type EmbeddedTestBackend, startEmbeddedTestBackend } from "../../database/support/embedded-backend.ts";
import { type HostedBackend, startHostedBackend } from "../../database/support/hosted-backend.ts";
import { startFetchServer } from "../../support/stack/fetch-server.ts";

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
  const server = await startFetchServer(async (path, { headers, ...init }) => {
    const isAuth = path.startsWith("/auth/v1/");
    // Two projects behind one URL: each knows only its own key.
    const own = `Bearer ${backend.rest.secretKey}`;
    if (isAuth && headers.get("apikey") === backend.rest.secretKey) headers.set("apikey", people.embedded.secretKey);
    if (isAuth && headers.get("authorization") === own)
      headers.set("authorization", `Bearer ${people.embedded.secretKey}`);
    const forward = isAuth ? people.embedded.fetch : backend.rest.fetch;
    const response = await forward(`http://project.localhost${path}`, { ...init, headers });
    if (init.method === "POST" && path === "/auth/v1/admin/users" && response.ok) {
      // A real project has one database, so copy the new account to the other one.
      const { id, email } = (await response.clone().json()) as { id: string; email: string };
      await backend.sql("insert into auth.users (id, email) values ($1, $2) returning id", [id, email]);
    }
    return response;
  });
  return {
    url: server.url,
    backend,
    people,
    close: async () => {
      server.close();
      await Promise.all([backend.close(), people.close()]);
    },
  };
}
