import type { Query } from "../read-database.ts";

/** Schemas filled by the product's migrations, as SQL; all others belong to the host. */
const productSchemas = "('public', 'private')";

/** A table of the product that both databases must have. */
export interface ProductTable {
  /** `schema.table`, quoted where SQL requires it */
  name: string;
  /** writable columns, quoted and separated by commas; without generated ones */
  columns: string;
  /** every column with type and kind, for comparison */
  shape: string;
}

/** Lists the product's tables in the order of their creation: each after the tables that it references. */
export async function listProductTables(query: Query): Promise<ProductTable[]> {
  return query<ProductTable>(`
    select format('%I.%I', nspname, relname) as name,
      string_agg(quote_ident(attname), ',' order by attname collate "C") filter (where attgenerated = '') as columns,
      string_agg(concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod), attgenerated), ', '
        order by attname collate "C") as shape
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relkind = 'r' and nspname in ${productSchemas}
    group by pg_class.oid, nspname, relname
    order by pg_class.oid`);
}

/** Lists the present values of sequences, which tables do not store in their rows. */
export async function listSequences(query: Query): Promise<{ name: string; last: string }[]> {
  return query<{ name: string; last: string }>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
    from pg_sequences where last_value is not null and schemaname in ${productSchemas}`);
}
