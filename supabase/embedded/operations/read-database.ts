import { PGlite } from "@electric-sql/pglite";
import { databaseOptions } from "../folder/database.ts";
import { explainOpenFailure } from "../folder/marker.ts";
import { requireOwnDatabase } from "../folder/usable-folder.ts";

/** Runs one statement and returns its rows. Both databases of a comparison provide one. */
export type Query = <T>(sql: string, parameters?: unknown[]) => Promise<T[]>;

/** Content of a table: the number of rows, and a SHA-256 (hexadecimal) over all of them, independent of their order. */
interface TableDigest {
  /** `schema.table` */
  name: string;
  rows: number;
  sha256: string;
}

/** Summary of a database's content. */
export interface DatabaseDigest {
  migrations: string[];
  tables: TableDigest[];
}

/**
 * Starts PGlite on a folder, passes it to `work`, and closes it again. Starting may change files there (recovery).
 * @param folder a complete `pg/` that no other process uses
 * @throws DataFolderUnusable when it is not a database of this site
 */
export async function withDatabase<T>(folder: string, work: (database: PGlite) => Promise<T>): Promise<T> {
  requireOwnDatabase(folder);
  // Without parsers, values stay text: a bigint or a timestamp would lose digits if converted to a number.
  const { startParams, extensions } = databaseOptions;
  const database = await PGlite.create({ dataDir: folder, startParams, extensions }).catch(async (error: unknown) => {
    throw await explainOpenFailure(folder, error);
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** @returns a function that runs one statement on the database */
export function queryOf(database: Pick<PGlite, "query">): Query {
  return async <T>(sql: string, parameters?: unknown[]) => (await database.query<T>(sql, parameters)).rows;
}

/** Reads the migrations, and the count and hash of every table. */
export async function digestDatabase(database: Pick<PGlite, "query">): Promise<DatabaseDigest> {
  const query = queryOf(database);
  const tables: TableDigest[] = [];
  for (const table of await listTables(query)) tables.push(await digestTable(query, table));
  return { migrations: (await listMigrations(query)) ?? [], tables };
}

/** Lists all ordinary tables outside PostgreSQL's own schemas, as `schema.table`, quoted where SQL requires it. */
async function listTables(query: Query): Promise<string[]> {
  const tables = await query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    order by format('%I.%I', n.nspname, c.relname) collate "C"`);
  return tables.map(({ name }) => name);
}

/**
 * Counts and hashes a table inside the database, so that no row leaves it. Hashes each row as JSON with sorted keys,
 * then hashes the sorted hashes. The order of rows, the order of columns and the collation therefore do not matter, and
 * PostgreSQL 15 and PGlite's 18 agree. The time zone of both must be UTC.
 * @param table `schema.table`, quoted where SQL requires it
 */
export async function digestTable(query: Query, table: string): Promise<TableDigest> {
  const [digest] = await query<{ rows: number; sha256: string }>(`
    select count(*)::int as rows,
      encode(sha256(coalesce(string_agg(hash, '' order by hash), '')), 'hex') as sha256
    from (select sha256(convert_to(to_jsonb(content)::text, 'UTF8')) as hash from only ${table} as content) as hashes`);
  if (!digest) throw new Error("PostgreSQL returned no row for an aggregate");
  return { name: table, ...digest };
}

/**
 * Lists the versions of the migrations that a database has run, in order. Returns null when it has no record of them.
 */
export async function listMigrations(query: Query): Promise<string[] | null> {
  const [record] = await query<{ exists: boolean }>(
    "select to_regclass('supabase_migrations.schema_migrations') is not null as exists",
  );
  if (!record?.exists) return null;
  const rows = await query<{ version: string }>(
    `select version from supabase_migrations.schema_migrations order by version collate "C"`,
  );
  return rows.map(({ version }) => version);
}
