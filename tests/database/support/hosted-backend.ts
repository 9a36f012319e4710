import { randomUUID } from "node:crypto";
import { createProject } from "./postgres/create-project.ts";
import type { PostgresDatabase } from "./postgres/postgres-database.ts";
import { type RestServer, startPostgrest } from "./postgres/postgrest.ts";
import { makeClient, type TestBackend } from "./test-backend.ts";

/** Backend of a hosted project: real PostgreSQL and PostgREST. People exist, but no sign-in service runs. */
export interface HostedBackend extends TestBackend {
  postgres: PostgresDatabase;
  rest: RestServer;
}

/**
 * Starts PostgREST on a new database of the run's server, which keeps the database until it stops.
 * @throws with advice on what to install when no PostgreSQL exists for this machine
 */
export async function startHostedBackend(): Promise<HostedBackend> {
  const postgres = await createProject();
  const rest = await startPostgrest(postgres);
  return {
    postgres,
    rest,
    client: (token) => makeClient(url, rest.publishableKey, rest.fetch, token),
    service: makeClient(url, rest.secretKey, rest.fetch),
    sql: postgres.sql,
    signIn: async () => {
      const id = randomUUID();
      const email = `${id}@example.com`;
      const insert = "insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now()) returning id";
      await postgres.sql(insert, [id, email]);
      const session = "insert into auth.sessions (id, user_id, created_at) values ($1, $2, now()) returning id";
      const sessionId = randomUUID();
      await postgres.sql(session, [sessionId, id]);
      const claims = { sub: id, email, role: "authenticated", aal: "aal1", session_id: sessionId };
      return { id, email, token: rest.signToken(claims) };
    },
    close: () => rest.close(),
  };
}

const url = "http://hosted.localhost";
