import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { json } from "node:stream/consumers";
import { inject } from "vitest";
import { captureRows } from "../../support/pool/capture-rows.mjs";
import { openDatabase, type PostgresDatabase } from "./postgres/postgres-database.ts";
import type { PostgresVersion } from "./postgres/postgres-server.ts";
import { type RestServer, startPostgrest } from "./postgres/postgrest.ts";
import type { PostgresStartResult } from "./postgres/shared-postgres.ts";
import { shareBackend } from "./shared-backend.ts";
import { makeClient, type TestBackend } from "./test-backend.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Paths of the local sockets that announce the run's PostgreSQL servers. */
    postgresOffers: Record<PostgresVersion, string>;
  }
}

/** Backend of a hosted project: real PostgreSQL and PostgREST. People exist, but no sign-in service runs. */
export interface HostedBackend extends TestBackend {
  postgres: PostgresDatabase;
  rest: RestServer;
}

/**
 * Lends PostgREST and a database of the run's server, in the state after the migrations.
 * @throws with advice on what to install when no PostgreSQL exists for this machine
 */
export function startHostedBackend(version: PostgresVersion = "18"): Promise<HostedBackend> {
  return borrow[version]();
}

const borrow = { "18": shareProject("18"), "17": shareProject("17") };

function shareProject(version: PostgresVersion): () => Promise<HostedBackend> {
  return shareBackend(async (note) => {
    const database = await createProject(version);
    const restoreRows = await captureRows(database);
    const postgres: PostgresDatabase = {
      ...database,
      sql: (query, parameters) => database.sql(note(query), parameters),
      exec: (statements, as) => database.exec(note(statements), as),
    };
    const rest = await startPostgrest(database);
    return { backend: makeBackend(postgres, rest), restoreRows };
  });
}

/**
 * Creates a database on the run's server, in the state of a hosted project after `supabase db push`.
 * @throws with advice on what to install when no PostgreSQL exists for this machine
 */
async function createProject(version: PostgresVersion): Promise<PostgresDatabase> {
  const result = (await json(connect(inject("postgresOffers")[version]))) as PostgresStartResult;
  if ("failure" in result) throw new Error(result.failure);
  const name = `project_${randomUUID()}`;
  // Sent from another database: PostgreSQL copies a template only while no session uses it.
  await openDatabase(result.socketDir, "template1").exec(`create database "${name}" template postgres owner postgres`);
  return openDatabase(result.socketDir, name);
}

function makeBackend(postgres: PostgresDatabase, rest: RestServer): HostedBackend {
  return {
    postgres,
    rest,
    client: (token) => makeClient(url, rest.publishableKey, rest.fetch, token),
    service: makeClient(url, rest.secretKey, rest.fetch),
    sql: postgres.sql,
    exec: (statements) => postgres.exec(statements, "postgres"),
    signIn: async () => {
      const [id, session_id] = [randomUUID(), randomUUID()];
      const email = `${id}@example.com`;
      const insert = "insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now()) returning id";
      await postgres.sql(insert, [id, email]);
      const session = "insert into auth.sessions (id, user_id, created_at) values ($1, $2, now()) returning id";
      await postgres.sql(session, [session_id, id]);
      const token = rest.signToken({ sub: id, email, role: "authenticated", aal: "aal1", session_id });
      return { id, email, token };
    },
    close: rest.close,
  };
}

const url = "http://hosted.localhost";
