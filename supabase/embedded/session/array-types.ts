import type { PGlite } from "@electric-sql/pglite";

/**
 * Object ids of the array types that are read as arrays, as PostgreSQL's catalog has them (pg_type.typarray; those below
 * 10,000 never change): what tables, functions and @supabase/lite's own look at the catalog hold.
 */
const arrayTypes = {
  json: 199,
  bool: 1000,
  char: 1002,
  name: 1003,
  int2: 1005,
  int4: 1007,
  text: 1009,
  bpchar: 1014,
  varchar: 1015,
  int8: 1016,
  float4: 1021,
  float8: 1022,
  oid: 1028,
  inet: 1041,
  timestamp: 1115,
  date: 1182,
  timestamptz: 1185,
  numeric: 1231,
  uuid: 2951,
  jsonb: 3807,
} as const;

/**
 * Waits until a database is ready, and leaves it the parsers of these array types alone. PGlite makes one for every array
 * type of the catalog, some 300, and copies them all for every statement: that takes longer than most statements do.
 * @param database just made
 * @throws what kept it from becoming ready
 */
export async function waitWithFewParsers(database: PGlite): Promise<void> {
  const ofOtherTypes = { ...database.parsers };
  await database.waitReady;
  const ofArrays = Object.values(arrayTypes).flatMap((id) => {
    const parser = database.parsers[id];
    return parser === undefined ? [] : [[id, parser] as const];
  });
  database.parsers = { ...ofOtherTypes, ...Object.fromEntries(ofArrays) };
}
