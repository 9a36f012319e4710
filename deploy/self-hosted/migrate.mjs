// Runs the pending migrations on a self-hosted project's database: sudo -u postgres node deploy/self-hosted/migrate.mjs
import { readFile, readdir } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { Client } from "pg";

const folder = new URL("../../supabase/migrations/", import.meta.url);

/**
 * Runs the pending migrations in order and records each, as `supabase db push` does.
 * @param {Client} client connected as the role postgres
 * @returns {Promise<string[]>} names of those that were pending
 */
export async function pushMigrations(client) {
  await client.query(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);`);
  const { rows } = await client.query("select version from supabase_migrations.schema_migrations");
  const applied = new Set(rows.map(({ version }) => version));
  const pending = (await readdir(folder))
    .filter((file) => file.endsWith(".sql") && !applied.has(file.slice(0, 14)))
    .toSorted();
  for (const file of pending) {
    const [, version, name] = /^(\d{14})_(.+)\.sql$/.exec(file) ?? [];
    const record = `insert into supabase_migrations.schema_migrations (version, name) values ('${version}', '${name}');`;
    // One message is one transaction, so that no migration exists without its record.
    await client.query(`${await readFile(new URL(file, folder), "utf8")};\n${record}`);
  }
  // PostgREST learns of new tables and functions.
  await client.query("notify pgrst, 'reload schema'");
  return pending;
}

/** Connects by DATABASE_URL, or to the machine's own server. */
async function main() {
  const connectionString = process.env.DATABASE_URL ?? "postgresql://postgres@/postgres?host=/var/run/postgresql";
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query("select to_regclass('auth.users') is null as missing");
    if (rows[0]?.missing) throw new Error("it has no table auth.users. Run prelude.sql and start Supabase Auth first");
    const pending = await pushMigrations(client);
    console.log(pending.length > 0 ? `Ran ${pending.join(", ")}.` : "Nothing to do: the database has every migration.");
  } finally {
    await client.end();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main().catch((error) => {
    console.error(`No migration, or not every one, was run: ${error.message}.`);
    process.exitCode = 1;
  });
}
