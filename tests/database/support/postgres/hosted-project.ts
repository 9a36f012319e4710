import { readFile, readdir } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { PostgresDatabase } from "./postgres-database.ts";

/**
 * Prepares a new server's database `postgres` like a hosted project before its first migration, as far as our
 * migrations need it. Roles belong to the whole server, so this runs once per server.
 * @param options `withAuthService` leaves the schema `auth` to the real authentication service, which runs as
 *   supabase_auth_admin; otherwise the schema gets the few tables that our migrations use
 */
export async function prepareProject(database: PostgresDatabase, options = { withAuthService: false }): Promise<void> {
  await database.exec(await readBeside("supabase-prelude.sql"));
  await database.exec(await readBeside(options.withAuthService ? "auth-service.sql" : "auth-stand-in.sql"));
}

function readBeside(name: string): Promise<string> {
  return readFile(new URL(`./${name}`, import.meta.url), "utf8");
}

/** Runs the product's pending migrations in order and records each, as `supabase db push` does. */
export async function pushMigrations(database: PostgresDatabase): Promise<void> {
  await database.exec(
    `create schema if not exists supabase_migrations;
     create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);`,
    "postgres",
  );
  const applied = await database.sql<{ version: string }>("select version from supabase_migrations.schema_migrations");
  for (const { version, name, sql } of await readMigrations()) {
    if (applied.some((row) => row.version === version)) continue;
    const record = `insert into supabase_migrations.schema_migrations (version, name) values ('${version}', '${name}');`;
    // One message is one transaction, so that no migration exists without its record.
    await database.exec(`${sql};\n${record}`, "postgres");
  }
}

async function readMigrations(): Promise<{ version: string; name: string; sql: string }[]> {
  const folder = fileURLToPath(new URL("../../../../supabase/migrations/", import.meta.url));
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const [version = "", ...words] = basename(file, ".sql").split("_");
      return { version, name: words.join("_"), sql: await readFile(folder + file, "utf8") };
    }),
  );
}
