import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Settings } from "~/server/config/settings.server";
import { productMigrations } from "#supabase/embedded/migrations";
import { type Visit, withHostedDatabase } from "#supabase/embedded/operations/hosted-database";
import { OperationRefused } from "#supabase/embedded/operations/operation-refused";
import { withDatabase } from "#supabase/embedded/operations/read-database";
import { takeSnapshot } from "#supabase/embedded/operations/backups/take-snapshot";

/** Reads the rows of one SELECT as PostgreSQL writes them in JSON: numbers are numbers, and times ISO 8601 in UTC. */
export type ReadDatabase = <T>(select: string, parameters?: unknown[]) => Promise<T[]>;

/**
 * Lets `work` read the database that a site with these settings uses: a copy of the embedded one, whether or not the server
 * runs, else the hosted project's, in a transaction that cannot write.
 * @param databaseUrl the hosted project's direct connection
 * @throws OperationRefused when there is none, or it has other migrations than this version
 */
export async function withSiteDatabase<T>(
  { backend, dataDir }: Settings,
  databaseUrl: string | undefined,
  work: (read: ReadDatabase) => Promise<T>,
): Promise<T> {
  if (backend.kind === "hosted") {
    if (!databaseUrl)
      throw new OperationRefused("Set DATABASE_URL to the direct connection of the project at SUPABASE_URL.");
    return withHostedDatabase(databaseUrl, reading, ({ query }) =>
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
    return await withDatabase(join(snapshot.folder, "pg"), (pglite) => {
      const query: ReadDatabase = async <Row>(sql: string, p?: unknown[]) => (await pglite.query<Row>(sql, p)).rows;
      return readPresentSchema(query, "Start the site once in this version, then try again.", work);
    });
  } finally {
    await snapshot.release();
  }
}

const reading: Visit = {
  operation: "privacy-pack",
  begin: "begin transaction isolation level repeatable read read only",
  called: "The database of DATABASE_URL",
  outcome: "Nothing was written.",
};

/** @param query runs one statement and returns its rows */
export function readWith(query: ReadDatabase): ReadDatabase {
  return async <T>(select: string, parameters?: unknown[]) => {
    const [found] = await query<{ rows: string }>(
      `select coalesce(json_agg(found), '[]')::text as rows from (${select}) as found`,
      parameters,
    );
    return JSON.parse(found?.rows ?? "[]") as T[];
  };
}

async function readPresentSchema<T>(query: ReadDatabase, remedy: string, work: (read: ReadDatabase) => Promise<T>) {
  const read = readWith(query);
  const newest = /\d{14}/.exec(Object.keys(productMigrations).toSorted().at(-1) ?? "")?.[0];
  const [known] = await read("select 1 where to_regprocedure('public.newest_migration()') is not null");
  const [found] = known ? await read<{ version: string }>("select public.newest_migration() as version") : [];
  if (found?.version !== newest)
    throw new OperationRefused(`The database has other migrations than this version. ${remedy}`);
  return work(read);
}
