import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Settings } from "~/server/config/settings.server";
import { productMigrations } from "#supabase/embedded/migrations";
import { type ConnectionPurpose, withHostedDatabase } from "#supabase/embedded/operations/hosted-database";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { type Query, queryOf, withDatabase } from "#supabase/embedded/operations/read-database";
import { takeSnapshot } from "#supabase/embedded/backups/take-snapshot";

/** Reads the rows of one SELECT in PostgreSQL's JSON types: numbers are numbers, and times are ISO 8601 in UTC. */
export type ReadDatabase = Query;

/**
 * Gives `work` read access to the database of the site with these settings. The embedded database is read from a copy,
 * even while the server runs; a hosted project's is read in a read-only transaction.
 * @param databaseUrl direct connection of the hosted project
 * @throws OperationRefused if there is no database, or its migrations differ from this version's
 */
export async function withSiteDatabase<T>(
  { backend, dataDir }: Settings,
  databaseUrl: string | undefined,
  work: (read: ReadDatabase) => Promise<T>,
): Promise<T> {
  if (backend.kind === "hosted") {
    if (!databaseUrl)
      throw new OperationRefused("Set DATABASE_URL to the direct connection of the project at SUPABASE_URL.");
    return withHostedDatabase(databaseUrl, reading, (query) =>
      readPresentSchema(query, "Run `supabase db push` in this version first.", work),
    );
  }
  const folder = resolve(dataDir);
  if (!existsSync(join(folder, "pg"))) {
    throw new OperationRefused(
      `There is no database in ${folder}. Is DATA_DIR right? A hosted project needs SUPABASE_URL and the site’s other settings.`,
    );
  }
  const snapshot = await takeSnapshot(folder);
  try {
    return await withDatabase(join(snapshot.folder, "pg"), (pglite) =>
      readPresentSchema(queryOf(pglite), "Start the site once in this version, then try again.", work),
    );
  } finally {
    await snapshot.release();
  }
}

const reading: ConnectionPurpose = {
  operation: "privacy-pack",
  begin: "begin transaction isolation level repeatable read read only",
  called: "The database of DATABASE_URL",
  outcome: "Nothing was written.",
};

/** Creates a reader. @param query runs one statement and returns its rows */
export function readWith(query: Query): ReadDatabase {
  return async <T>(select: string, parameters?: unknown[]) => {
    const [found] = await query<{ rows: string }>(
      `select coalesce(json_agg(found), '[]')::text as rows from (${select}) as found`,
      parameters,
    );
    return JSON.parse(found?.rows ?? "[]") as T[];
  };
}

async function readPresentSchema<T>(query: Query, remedy: string, work: (read: ReadDatabase) => Promise<T>) {
  const read = readWith(query);
  const newest = /\d{14}/.exec(Object.keys(productMigrations).toSorted().at(-1) ?? "")?.[0];
  const [known] = await read("select 1 where to_regprocedure('public.newest_migration()') is not null");
  const [found] = known ? await read<{ version: string }>("select public.newest_migration() as version") : [];
  if (found?.version !== newest)
    throw new OperationRefused(`The database’s migrations differ from this version’s. ${remedy}`);
  return work(read);
}
