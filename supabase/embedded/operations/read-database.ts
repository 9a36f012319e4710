import { PGlite } from "@electric-sql/pglite";
import { databaseOptions } from "../folder/database.ts";
import { keepExitCode } from "../folder/exit-code.ts";
import { explainFailedOpening, requireOwnDatabase } from "../folder/usable-folder.ts";
import { digestTable, listMigrations, listTables, type Query, type TableDigest } from "./backups/digest.ts";

/** What a database holds, in figures. */
export interface DatabaseDigest {
  migrations: string[];
  tables: TableDigest[];
}

/**
 * Starts PGlite on a folder, lets `work` use it, and closes it again. Starting may change files there (recovery).
 * @param folder a complete `pg/` that no other process uses
 * @throws DataFolderUnusable when it is no database of this site
 */
export async function withDatabase<T>(folder: string, work: (database: PGlite) => Promise<T>): Promise<T> {
  requireOwnDatabase(folder);
  return keepExitCode(async () => {
    // Values as text: they are passed on, and a bigint or a timestamp would lose digits on the way through a number.
    const { startParams, extensions } = databaseOptions;
    const database = await PGlite.create({ dataDir: folder, startParams, extensions }).catch((error: unknown) => {
      throw explainFailedOpening(folder, error);
    });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  });
}

/** @returns a function that runs one statement on the database */
export function queryOf(database: Pick<PGlite, "query">): Query {
  return async <T>(sql: string) => (await database.query<T>(sql)).rows;
}

/** Migrations, and count and hash of every table. */
export async function digestDatabase(folder: string): Promise<DatabaseDigest> {
  return withDatabase(folder, digestOpenDatabase);
}

/** The same of a database that is open. */
export async function digestOpenDatabase(database: Pick<PGlite, "query">): Promise<DatabaseDigest> {
  const query = queryOf(database);
  const tables: TableDigest[] = [];
  for (const table of await listTables(query)) tables.push(await digestTable(query, table));
  return { migrations: (await listMigrations(query)) ?? [], tables };
}
