import { listTables, type Query } from "../read-database.ts";

/** Schemas filled by the product's migrations; all others belong to the host. */
const productSchemas = ["public", "private"];

/** A table of the product that both databases must have. */
export interface ProductTable {
  /** `schema.table`, quoted where SQL requires it */
  name: string;
  /** writable columns, quoted; without generated ones */
  columns: string[];
  /** every column with type and kind, for comparison */
  shape: string;
}

/** Lists the product's tables, each after the tables that it references. */
export async function listProductTables(query: Query): Promise<ProductTable[]> {
  const references = await query<{ from: string; to: string }>(`
    select ${qualified("conrelid")} as from, ${qualified("confrelid")} as to
    from pg_constraint where contype = 'f' and conrelid <> confrelid`);
  const waiting = new Set(await listTables(query, productSchemas));
  const ordered: ProductTable[] = [];
  while (waiting.size > 0) {
    const free = [...waiting].filter((name) => !references.some((one) => one.from === name && waiting.has(one.to)));
    if (free.length === 0) throw new Error(`Tables refer to each other in a circle: ${[...waiting].join(", ")}`);
    for (const name of free) {
      waiting.delete(name);
      ordered.push(await describeTable(query, name));
    }
  }
  return ordered;
}

async function describeTable(query: Query, name: string): Promise<ProductTable> {
  const columns = await query<{ column: string; type: string; generated: string }>(`
    select quote_ident(attname) as column, format_type(atttypid, atttypmod) as type, attgenerated::text as generated
    from pg_attribute
    where attrelid = '${name.replaceAll("'", "''")}'::regclass and attnum > 0 and not attisdropped
    order by attname collate "C"`);
  return {
    name,
    columns: columns.filter(({ generated }) => generated === "").map(({ column }) => column),
    shape: columns.map(({ column, type, generated }) => `${column} ${type} ${generated}`).join(", "),
  };
}

/** Lists the present values of sequences, which tables do not store in their rows. */
export async function listSequences(query: Query): Promise<{ name: string; last: string }[]> {
  return query<{ name: string; last: string }>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as last
    from pg_sequences
    where last_value is not null and schemaname in (${productSchemas.map((name) => `'${name}'`).join()})`);
}

function qualified(column: string): string {
  return `(select format('%I.%I', n.nspname, c.relname)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = ${column})`;
}
