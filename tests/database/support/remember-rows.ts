import type { EmbeddedBackend } from "#supabase/embedded/embedded-backend.ts";

interface Table {
  name: string;
  /** those that can be written */
  columns: string;
}

/**
 * Reads every row that a site's own tables and those of its accounts hold, and where their numbering is.
 * @returns what makes them so again, whatever was stored meanwhile; it answers false when so much was stored that its
 *   place in the tables' files would make the next test slow
 */
export async function rememberRows({ sql }: Pick<EmbeddedBackend, "sql">): Promise<() => Promise<boolean>> {
  const tables = await sql<Table>(tablesQuery);
  const inserts: string[] = [];
  for (const { name, columns } of tables) {
    const [found] = await sql<{ rows: string | null }>(`select json_agg(t)::text as rows from ${name} as t`);
    if (!found?.rows) continue;
    const rows = found.rows.replaceAll("'", "''");
    inserts.push(
      `insert into ${name} (${columns}) overriding system value
       select ${columns} from json_populate_recordset(null::${name}, '${rows}')`,
    );
  }
  const numbering = await sql<{ statement: string }>(
    `select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
       coalesce(last_value, start_value), last_value is not null) as statement
     from pg_sequences`,
  );
  const statements = [
    // Without triggers: they would write of these rows what is among them already.
    "set session_replication_role = replica",
    // Much quicker than TRUNCATE, which makes each table's files anew.
    ...tables.map(({ name }) => `delete from ${name}`),
    ...inserts,
    ...numbering.map(({ statement }) => statement),
    "reset session_replication_role",
  ].join(";\n");
  return async () => {
    await sql(statements);
    const [largest] = await sql<{ bytes: number }>(
      `select max(pg_relation_size(name::regclass))::int as bytes from (${tablesQuery}) as tables`,
    );
    return (largest?.bytes ?? 0) < mostBytes;
  };
}

/** What deleted rows leave of a table's file stays, and is read with it. */
const mostBytes = 1_000_000;

const tablesQuery = `
  select format('%I.%I', nspname, relname) as name,
    string_agg(format('%I', attname), ', ' order by attnum) filter (where attgenerated = '') as columns
  from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
  where nspname in ('public', 'private', 'auth', 'embedded') and relkind = 'r'
  group by nspname, relname`;
