import type { PGlite } from "@electric-sql/pglite";

/** Element types of the arrays in tables, functions and lite's catalog queries, by their names in pg_type. */
const elements =
  "json bool char name int2 int4 text bpchar varchar int8 float4 float8 oid inet timestamp date timestamptz numeric uuid jsonb";

/**
 * Drops the parsers of all other array types. PGlite copies its table of parsers for each result; with PostgreSQL's 300
 * array types in it, the copy takes longer than most statements.
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
