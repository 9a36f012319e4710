import { readdir, readFile } from "node:fs/promises";
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

eachBackend("schema", (backend) => {
  const readValues = async (query: string) => (await backend.sql<{ value: string }>(query)).map(({ value }) => value);

  const read = readWith((sql, parameters) => backend.sql(sql, parameters));

  it("has exactly the columns and retention periods of the record of processing", async () => {
    expect(await listColumns(read)).toEqual([...statedColumns].toSorted());
    const kinds = (await readPeriods(read)).map(({ kind }) => kind);
    expect(kinds).toEqual(Object.keys(periodsCountFrom).toSorted());
  });

  it("has tables in no schema that the record omits", async () => {
    const found = await readValues(
      `select distinct nspname as value from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'p') and nspname not in ('pg_catalog', 'information_schema', 'public', 'private')`,
    );
    expect(hostSchemas).toEqual(expect.arrayContaining(found));
  });

  it("tells anonymous callers the newest recorded migration version", async () => {
    const files = await readdir(new URL("../../../supabase/migrations", import.meta.url));
    const newest = files.toSorted().at(-1)?.slice(0, 14);
    expect(newest).toMatch(/^\d{14}$/);
    const ask = () => backend.client().rpc("newest_migration", {}, { get: true });
    expect(await ask()).toMatchObject({ status: 200, data: newest });

    const record = "supabase_migrations.schema_migrations";
    await backend.exec(`insert into ${record} (version, name) values ('20991231000000', 'later'), ('init', 'none')`);
    const later = await ask();
    await backend.exec(`delete from ${record} where name in ('later', 'none')`);
    expect(later).toMatchObject({ status: 200, data: "20991231000000" });
  });

  const count = () =>
    readValues(`select count(*)::text as value from public.contact_submissions
      union all select count(*)::text from public.data_rights_requests
      union all select count(*)::text from public.data_rights_events
      union all select count(*)::text from public.user_consents
      union all select count(*)::text from public.network_members
      union all select count(*)::text from public.network_events
      union all select count(*)::text from private.consent_history`);

  it("takes the examples for development, which add nothing when run again", async () => {
    const seed = await readFile(new URL("../../../supabase/seed.sql", import.meta.url), "utf8");
    await backend.exec(seed);
    const counts = await count();
    expect(counts).not.toContain("0");
    await backend.exec(seed);
    expect(await count()).toEqual(counts);
  });
});
