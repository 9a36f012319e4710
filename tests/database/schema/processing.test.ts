import { expect, it } from "vitest";
import {
  listColumns,
  periodsCountFrom,
  readPeriods,
  statedColumns,
} from "~/server/commands/privacy-pack/record-of-processing.server";
import { readWith } from "~/server/commands/privacy-pack/site-database.server";
import { eachBackend } from "../support/backends.ts";

/** Schemas that our migrations do not create. Their tables hold only what the record says about staff accounts. */
const hostSchemas = ["auth", "embedded", "supabase_migrations"];

eachBackend("record of processing", (backend) => {
  const read = readWith((sql, parameters) => backend.sql(sql, parameters));

  it("states a purpose for exactly the columns that exist", async () => {
    expect(await listColumns(read)).toEqual([...statedColumns].toSorted());
  });

  it("lists the same retention periods as the database", async () => {
    const kinds = (await readPeriods(read)).map(({ kind }) => kind);
    expect(kinds).toEqual(Object.keys(periodsCountFrom).toSorted());
  });

  it("finds no tables in other schemas", async () => {
    const rows = await backend.sql<{ name: string }>(
      `select distinct nspname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'p') and nspname not in ('pg_catalog', 'information_schema', 'public', 'private')`,
    );
    expect(hostSchemas).toEqual(expect.arrayContaining(rows.map(({ name }) => name)));
  });
});
