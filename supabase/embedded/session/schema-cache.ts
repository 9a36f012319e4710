import { createHash } from "node:crypto";
import type { PGlite } from "@electric-sql/pglite";
import type { CacheDriver } from "@supabase/lite";
import { dependencies } from "../../../package.json";

const createTable = `
  create table if not exists embedded.schema_cache (
    is_only_row boolean primary key default true check (is_only_row),
    made_by text not null,
    content text not null
  );
  comment on table embedded.schema_cache is
    'What the REST API has read of the catalog, and the SHA-256 of the program and the SQL that it was read with.';
`;

/**
 * Keeps what lite reads of the catalog before its first answer, in the very database that it describes: reading it takes a third of
 * what a start does there, and from one start of a version to the next nothing of it changes.
 * @param database that has the schema `embedded`
 * @param sql everything that decides what is in the catalog, beside the libraries
 */
export async function createSchemaCache(database: PGlite, sql: string[]): Promise<CacheDriver> {
  const madeBy = createHash("sha256")
    .update(JSON.stringify([dependencies["@supabase/lite"], dependencies["@electric-sql/pglite"], sql]))
    .digest("hex");
  await database.exec(createTable);
  return {
    get: async () => {
      const { rows } = await database.query<{ content: string }>(
        "select content from embedded.schema_cache where made_by = $1",
        [madeBy],
      );
      return rows[0]?.content;
    },
    set: async (_key, content) => {
      await database.query(
        `insert into embedded.schema_cache (made_by, content) values ($1, $2)
           on conflict (is_only_row) do update set made_by = excluded.made_by, content = excluded.content`,
        [madeBy, content],
      );
    },
    delete: async () => {
      await database.query("delete from embedded.schema_cache");
    },
  };
}
