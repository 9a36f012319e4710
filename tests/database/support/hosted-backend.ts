import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type PostgresServer, readMigrations, startPostgres } from "./postgres-server.ts";
import { type RestServer, startPostgrest } from "./postgrest.ts";
import { makeClient, type TestBackend } from "./test-backend.ts";

/** What a hosted project would run: real PostgreSQL and real PostgREST; people exist, but no sign-in service does. */
export interface HostedBackend extends TestBackend {
  postgres: PostgresServer;
  rest: RestServer;
}

/** @throws saying what to install when this machine has no PostgreSQL server */
export async function startHostedBackend(): Promise<HostedBackend> {
  const postgres = await startPostgres();
  try {
    await postgres.exec(await readFile(new URL("./supabase-prelude.sql", import.meta.url), "utf8"));
    for (const file of await readMigrations(migrationsFolder)) {
      await postgres.exec(await readFile(file, "utf8"), "postgres");
    }
    return withRest(postgres, await startPostgrest(postgres));
  } catch (error) {
    await postgres.close();
    throw error;
  }
}

const migrationsFolder = fileURLToPath(new URL("../../../supabase/migrations", import.meta.url));
const url = "http://hosted.localhost";

function withRest(postgres: PostgresServer, rest: RestServer): HostedBackend {
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
      return { id, email, token: rest.signToken({ sub: id, email, role: "authenticated", aal: "aal1" }) };
    },
    close: async () => {
      await rest.close();
      await postgres.close();
    },
  };
}
