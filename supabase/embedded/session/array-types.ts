import { types } from "@electric-sql/pglite";

/**
 * The types of which arrays are read and written as arrays, with the object id of the array type (pg_type.typarray; those below
 * 10,000 never change): what tables, functions and @supabase/lite's own look at the catalog hold.
 */
export const arrayTypes: readonly { oid: number; typarray: number }[] = [
  { oid: types.JSON, typarray: 199 },
  { oid: types.BOOL, typarray: 1000 },
  { oid: types.CHAR, typarray: 1002 },
  { oid: 19, typarray: 1003 }, // name
  { oid: types.INT2, typarray: 1005 },
  { oid: types.INT4, typarray: 1007 },
  { oid: types.TEXT, typarray: 1009 },
  { oid: types.BPCHAR, typarray: 1014 },
  { oid: types.VARCHAR, typarray: 1015 },
  { oid: types.INT8, typarray: 1016 },
  { oid: types.FLOAT4, typarray: 1021 },
  { oid: types.FLOAT8, typarray: 1022 },
  { oid: types.OID, typarray: 1028 },
  { oid: types.INET, typarray: 1041 },
  { oid: types.TIMESTAMP, typarray: 1115 },
  { oid: types.DATE, typarray: 1182 },
  { oid: types.TIMESTAMPTZ, typarray: 1185 },
  { oid: types.NUMERIC, typarray: 1231 },
  { oid: types.UUID, typarray: 2951 },
  { oid: types.JSONB, typarray: 3807 },
];

/**
 * Whether a statement is PGlite's, which asks the catalog for all array types when it is opened. For each of some 300 it makes a
 * parser, and copies them all for every statement: that takes longer than most statements do.
 */
export function asksForArrayTypes(text: string): boolean {
  return /^\s*SELECT b\.oid, b\.typarray\s+FROM pg_catalog\.pg_type a\b/.test(text);
}
