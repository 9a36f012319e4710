import { PGlite } from "@electric-sql/pglite";
import { databaseOptions } from "../folder/database.ts";
import { explainOpenFailure } from "../folder/marker.ts";
import { requireOwnDatabase } from "../folder/usable-folder.ts";
import { digestTable, listMigrations, listTables, type Query, type TableDigest } from "../backups/digest.ts";

/** Summary of a database's content. */
export interface DatabaseDigest {
  migrations: string[];
  tables: TableDigest[];
}

/**
 * Starts PGlite on a folder, passes it to `work`, and closes it again. Starting may change files there (recovery).
 * @param folder a complete `pg/` that no other process uses
 * @param original the database of which it is a copy, for messages
 * @throws DataFolderUnusable when it is not a database of this site
 */
export async function withDatabase<T>(
  folder: string,
  work: (database: PGlite) => Promise<T>,
  original = folder,
): Promise<T> {
  requireOwnDatabase(folder);
  // Without parsers, values stay text: a bigint or a timestamp would lose digits if converted to a number.
  const { startParams, extensions } = databaseOptions;
  const database = await PGlite.create({ dataDir: folder, startParams, extensions }).catch(async (error: unknown) => {
    throw await explainOpenFailure(original, error);
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** @returns a function that runs one statement on the database */
export function queryOf(database: Pick<PGlite, "query">): Query {
  return async <T>(sql: string) => (await database.query<T>(sql)).rows;
}

/** Reads the migrations, and the count and hash of every table. */
export async function digestDatabase(folder: string): Promise<DatabaseDigest> {
  return withDatabase(folder, digestOpenDatabase);
}

/** Does the same for an open database. */
export async function digestOpenDatabase(database: Pick<PGlite, "query">): Promise<DatabaseDigest> {
  const query = queryOf(database);
  const tables: TableDigest[] = [];
  for (const table of await listTables(query)) tables.push(await digestTable(query, table));
  return { migrations: (await listMigrations(query)) ?? [], tables };
}
