import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { json } from "node:stream/consumers";
import { inject } from "vitest";
import { openDatabase, type PostgresDatabase } from "./postgres-database.ts";
import type { PostgresOffer } from "./shared-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of the local socket that tells whoever connects where the run's PostgreSQL is. */
    postgresOffer: string;
  }
}

/**
 * A new database of the run's server, as a hosted project is behind `supabase db push`.
 * @throws saying what to install when there is no PostgreSQL for this machine
 */
export async function createProject(): Promise<PostgresDatabase> {
  const answer = (await json(connect(inject("postgresOffer")))) as PostgresOffer;
  if ("failure" in answer) throw new Error(answer.failure);
  const name = `project_${randomUUID()}`;
  // Sent from another database: nobody may be connected to the one that is copied.
  await openDatabase(answer.socketDir, "template1").exec(`create database "${name}" template postgres owner postgres`);
  return openDatabase(answer.socketDir, name);
}
