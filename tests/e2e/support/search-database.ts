import { PGlite } from "@electric-sql/pglite";

/** Where an address remains in a database that no process has open, and the tombstones there. */
export interface DatabaseSearch {
  /** number of columns that hold text */
  searched: number;
  /** `schema.table|column` of those that hold the address */
  found: string[];
  /** counts of deleted rows, per erasure */
  tombstones: { submissions: number }[];
}

/**
 * Searches every text column of our tables for an address.
 * @param folder of the database
 */
export async function searchDatabase(folder: string, email: string): Promise<DatabaseSearch> {
  const database = await PGlite.create(folder);
  const { rows: columns } = await database.query<{ place: string }>(
    `select format('%I.%I', table_schema, table_name) || '|' || quote_ident(column_name) as place
     from information_schema.columns
     where table_schema in ('public', 'private') and data_type in ('text', 'jsonb', 'character varying')`,
  );
  const found: string[] = [];
  for (const { place } of columns) {
    const [table = "", column = ""] = place.split("|");
    const { rows } = await database.query(`select 1 from ${table} where ${column}::text ilike $1`, [`%${email}%`]);
    if (rows.length > 0) found.push(place);
  }
  const { rows: tombstones } = await database.query<{ counts: { submissions: number } }>(
    "select counts from private.erasure_tombstones",
  );
  await database.close();
  return { searched: columns.length, found, tombstones: tombstones.map(({ counts }) => counts) };
}
