import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  listColumns,
  periodsCountFrom,
  readPeriods,
  statedColumns,
} from "~/server/commands/privacy-pack/record-of-processing.server";
import { readWith } from "~/server/commands/privacy-pack/site-database.server";
import { backends, runStatements } from "../support/backends.ts";
import type { TestBackend } from "../support/test-backend.ts";

/** Whose tables hold what the record says of staff's accounts, and nothing else: they are not made by migrations. */
const schemasOfTheHost = ["auth", "embedded", "supabase_migrations"];

describe.each(backends)("the record of processing and the tables on $name", ({ start }) => {
  let backend: TestBackend;
  const read = readWith((sql, parameters) => backend.sql(sql, parameters));

  beforeAll(async () => {
    backend = await start();
  });
  afterAll(() => backend?.close());

  it("states a purpose for every column that there is, and for none that there is not", async () => {
    expect(await listColumns(read)).toEqual([...statedColumns].toSorted());
  });

  it("notice a column that a migration adds without a purpose", async () => {
    await runStatements(backend, "alter table public.contact_submissions add column birthday date");
    const unstated = (await listColumns(read)).filter((column) => !statedColumns.has(column));
    await runStatements(backend, "alter table public.contact_submissions drop column birthday");
    expect(unstated).toEqual(["public.contact_submissions.birthday"]);
  });

  it("know the same periods", async () => {
    const kinds = (await readPeriods(read)).map(({ kind }) => kind);
    expect(kinds).toEqual(Object.keys(periodsCountFrom).toSorted());
  });

  it("leave no table elsewhere", async () => {
    const rows = await backend.sql<{ name: string }>(
      `select distinct nspname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'p') and nspname not in ('pg_catalog', 'information_schema', 'public', 'private')`,
    );
    expect(schemasOfTheHost).toEqual(expect.arrayContaining(rows.map(({ name }) => name)));
  });
});
