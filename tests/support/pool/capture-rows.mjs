// Not TypeScript, because a worker thread loads it without a compiler.

/** @typedef {import("../../database/support/test-backend.ts").TestBackend} TestBackend */

/**
 * Reads every row of the site's tables and its account tables, and the position of every sequence, as the superuser.
 * @param {Pick<TestBackend, "sql" | "exec">} backend
 * @returns {Promise<() => Promise<boolean>>} a function that restores that state. It returns false when a table's file
 *   has grown so large that it would slow down the next test.
 */
export async function captureRows({ sql, exec }) {
  /** @type {{ name: string, columns: string }[]} columns: those that can be written */
  const tables = await sql(tablesQuery);
  const inserts = [];
  for (const { name, columns } of tables) {
    /** @type {{ rows: string | null }[]} */
    const [found] = await sql(`select json_agg(t)::text as rows from ${name} as t`);
    if (!found?.rows) continue;
    const rows = found.rows.replaceAll("'", "''");
    inserts.push(
      `insert into ${name} (${columns}) overriding system value
       select ${columns} from json_populate_recordset(null::${name}, '${rows}')`,
    );
  }
  /** @type {{ statement: string }[]} */
  const numbering = await sql(
    `select format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
       coalesce(last_value, start_value), last_value is not null) as statement
     from pg_sequences`,
  );
  const statements = [
    // Without triggers, which would insert rows that the capture already contains.
    "set session_replication_role = replica",
    // Much faster than TRUNCATE, which creates new files for each table.
    ...tables.map(({ name }) => `delete from ${name}`),
    ...inserts,
    ...numbering.map(({ statement }) => statement),
    "reset session_replication_role",
  ].join(";\n");
  return async () => {
    await exec(statements);
    /** @type {{ bytes: number }[]} */
    const [largest] = await sql(
      `select max(pg_relation_size(name::regclass))::int as bytes from (${tablesQuery}) as tables`,
    );
    return (largest?.bytes ?? 0) < maxBytes;
  };
}

/** Deleted rows still occupy a table's file, and scans read them. */
const maxBytes = 1_000_000;

const tablesQuery = `
  select format('%I.%I', nspname, relname) as name,
    string_agg(format('%I', attname), ', ' order by attnum) filter (where attgenerated = '') as columns
  from pg_class
    join pg_namespace on pg_namespace.oid = relnamespace
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
  where nspname in ('public', 'private', 'auth', 'embedded') and relkind = 'r'
  group by nspname, relname`;
