import { readFile, readdir } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { PostgresDatabase } from "./postgres-database.ts";

/**
 * Makes of a new server's database `postgres` what a hosted project has before the first migration, as far as ours touch
 * it. Roles belong to the whole server, so this can be done once on it.
 */
export async function prepareProject(database: PostgresDatabase): Promise<void> {
  await database.exec(await readFile(new URL("./supabase-prelude.sql", import.meta.url), "utf8"));
}

/**
 * Runs the product's migrations in their order, as `supabase db push` does.
 * @returns their versions
 */
export async function migrateProject(database: PostgresDatabase): Promise<string[]> {
  const folder = fileURLToPath(new URL("../../../../supabase/migrations/", import.meta.url));
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  for (const name of names) await database.exec(await readFile(folder + name, "utf8"), "postgres");
  return names.map((name) => basename(name).split("_", 1)[0] ?? "");
}
