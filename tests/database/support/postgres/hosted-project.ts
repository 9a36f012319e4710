import { readFile, readdir } from "node:fs/promises";
import { Client } from "pg";
import type { PostgresDatabase } from "./postgres-database.ts";

/**
 * Prepares a new server's database `postgres` like a hosted project before its first migration, as far as our
 * migrations need it. Roles belong to the whole server, so this runs once per server.
 * @param options `withAuthService` leaves the tables of the schema `auth` to the real authentication service; otherwise
 *   the schema gets the few that our migrations use
 */
export async function prepareProject(database: PostgresDatabase, options = { withAuthService: false }): Promise<void> {
  const files = options.withAuthService ? ["prelude.sql"] : ["prelude.sql", "auth-stand-in.sql"];
  for (const file of files) await database.exec(await readFile(new URL(file, import.meta.url), "utf8"));
}

/** Runs the product's pending migrations and records each, as `supabase db push` does. */
export async function pushMigrations({ socketDir, name: database }: PostgresDatabase): Promise<void> {
  const client = new Client({ host: socketDir, user: "postgres", database });
  await client.connect();
  try {
    const record = "supabase_migrations.schema_migrations";
    await client.query(`create schema if not exists supabase_migrations;
      create table if not exists ${record} (version text primary key, statements text[], name text)`);
    const { rows } = await client.query<{ version: string }>(`select version from ${record}`);
    const applied = new Set(rows.map(({ version }) => version));
    const folder = new URL("../../../../supabase/migrations/", import.meta.url);
    for (const file of (await readdir(folder)).toSorted()) {
      const [, version = "", name] = /^(\d{14})_(.+)\.sql$/.exec(file) ?? [];
      if (version === "" || applied.has(version)) continue;
      const statements = await readFile(new URL(file, folder), "utf8");
      // One message is one transaction, so that no migration exists without its record.
      await client.query(`${statements};\ninsert into ${record} (version, name) values ('${version}', '${name}')`);
    }
  } finally {
    await client.end();
  }
}
