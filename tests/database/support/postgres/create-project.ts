import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { json } from "node:stream/consumers";
import { inject } from "vitest";
import { openDatabase, type PostgresDatabase } from "./postgres-database.ts";
import type { PostgresVersion } from "./postgres-server.ts";
import type { PostgresStartResult } from "./shared-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Paths of the local sockets that announce the run's PostgreSQL servers. */
    postgresOffers: Record<PostgresVersion, string>;
  }
}

/**
 * Creates a database on the run's server, in the state of a hosted project after `supabase db push`.
 * @throws with advice on what to install when no PostgreSQL exists for this machine
 */
export async function createProject(version: PostgresVersion): Promise<PostgresDatabase> {
  const result = (await json(connect(inject("postgresOffers")[version]))) as PostgresStartResult;
  if ("failure" in result) throw new Error(result.failure);
  const name = `project_${randomUUID()}`;
  // Sent from another database: PostgreSQL copies a template only while no session uses it.
  await openDatabase(result.socketDir, "template1").exec(`create database "${name}" template postgres owner postgres`);
  return openDatabase(result.socketDir, name);
}
