import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { withDatabase } from "#supabase/embedded/operations/read-database";

/** Runs one statement that returns rows. */
type Sql = <Row>(query: string, parameters?: unknown[]) => Promise<Row[]>;

/** The tables of this product, as `schema.table`, in which the text stands anywhere, in any column and in any case. */
export async function findTablesWith(sql: Sql, text: string): Promise<string[]> {
  const tables = await sql<{ query: string }>(
    `select format('select %L as name from %s as t where strpos(lower(t::text), %L) > 0 having count(*) > 0',
         name, name, lower($1::text)) as query
     from (select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname in ('public', 'private')) as tables order by name`,
    [text],
  );
  if (tables.length < 10) throw new Error("The product has more tables than these.");
  return (await sql<{ name: string }>(tables.map(({ query }) => query).join(" union all "))).map(({ name }) => name);
}

/** Opens the database of a site that is stopped, without the rest of its backend, which would take four times as long. */
export async function withDatabaseOf<Result>(dataDir: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  return withDatabase(join(dataDir, "pg"), (database) =>
    work(async <Row>(query: string, parameters?: unknown[]) => (await database.query<Row>(query, parameters)).rows),
  );
}

/** The names of the mail files of a data folder in which the text stands, whatever their names are. */
export async function findMailFilesWith(dataDir: string, text: string): Promise<string[]> {
  const folder = join(dataDir, "mail");
  const names = await readdir(folder).catch(() => []);
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => null)));
  // A file that is being written has another name when it is complete: then all are looked at again.
  if (contents.includes(null)) return findMailFilesWith(dataDir, text);
  return names.filter((_, place) => contents[place]?.includes(text));
}
