import type { PGlite } from "@electric-sql/pglite";

/** Elements of the arrays that tables, functions and lite's queries of the catalog hold, as pg_type names them. */
const elements =
  "json bool char name int2 int4 text bpchar varchar int8 float4 float8 oid inet timestamp date timestamptz numeric uuid jsonb";

/**
 * Forgets how all other arrays are read. PGlite copies its table of parsers for each result, and with PostgreSQL's 300 types of
 * arrays in it that takes longer than most statements do.
 */
export async function forgetUnusedArrays(database: PGlite): Promise<void> {
  const { rows } = await database.query<{ oid: number }>(
    `select oid from pg_type where typcategory = 'A'
       and typelem not in (select oid from pg_type where typname = any (string_to_array($1, ' ')))`,
    [elements],
  );
  for (const { oid } of rows) {
    delete database.parsers[oid];
    delete database.serializers[oid];
  }
}
