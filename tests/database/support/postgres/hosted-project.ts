import { readFile } from "node:fs/promises";
import { Client } from "pg";
import { pushMigrations as push } from "../../../../deploy/self-hosted/migrate.mjs";
import type { PostgresDatabase } from "./postgres-database.ts";

/**
 * Prepares a new server's database `postgres` like a hosted project before its first migration, as far as our
 * migrations need it. Roles belong to the whole server, so this runs once per server.
 * @param options `withAuthService` leaves the tables of the schema `auth` to the real authentication service; otherwise
 *   the schema gets the few that our migrations use
 */
export async function prepareProject(database: PostgresDatabase, options = { withAuthService: false }): Promise<void> {
  const prelude = new URL("../../../../deploy/self-hosted/prelude.sql", import.meta.url);
  await database.exec(await readFile(prelude, "utf8"));
  if (options.withAuthService) return;
  await database.exec(await readFile(new URL("./auth-stand-in.sql", import.meta.url), "utf8"));
}

/** Runs the product's pending migrations, as `supabase db push` does. */
export async function pushMigrations({ socketDir, name }: PostgresDatabase): Promise<void> {
  const client = new Client({ host: socketDir, user: "postgres", database: name });
  await client.connect();
  try {
    await push(client);
  } finally {
    await client.end();
  }
}
