import { afterAll, beforeAll, expect, it } from "vitest";
import { clientOf } from "./support/client.ts";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";

// `referee.test.ts` compares the values in responses with PostgREST's.

let backend: TestBackend;
beforeAll(async () => void (backend = await startTestBackend()));
afterAll(() => backend.remove());

it("returns an array for every array type of the schema", async () => {
  const types = await backend.sql<{ name: string }>(
    `select distinct format_type(typed, null) as name from (
       select atttypid as typed from pg_attribute where attnum > 0
         and attrelid in (select oid from pg_class where relkind in ('r', 'v') and relnamespace >= 16384)
       union all
       select unnest(prorettype || coalesce(proallargtypes, proargtypes)) from pg_proc where pronamespace >= 16384
     ) as used join pg_type on pg_type.oid = typed and typcategory = 'A' where typelem < 16384`,
  );
  expect(types.length).toBeGreaterThan(0);
  for (const { name } of types) {
    const [row] = await backend.sql(`select '{}'::${name} as value`);
    expect(row, name).toEqual({ value: [] });
  }
});

it("uses a function's present result type after it has changed", async () => {
  const read = () => clientOf(backend, backend.secretKey).rpc("words");
  await backend.sql("create function public.words() returns table (answer int) language sql as 'select 1'");
  for (let call = 0; call < 2; call += 1) expect((await read()).data).toEqual([{ answer: 1 }]);
  await backend.sql(`
    drop function public.words();
    create function public.words() returns table (words text) language sql as $$ select 'one' $$`);
  expect((await read()).data).toEqual([{ words: "one" }]);
});

it("returns rows for a query with parameters, and the last result of several statements", async () => {
  expect(await backend.sql("select $1::int + 1 as n", [1])).toEqual([{ n: 2 }]);
  expect(await backend.sql("select 1 as n; select 2 as n")).toEqual([{ n: 2 }]);
  await expect(backend.sql("select 1 / $1::int", [0])).rejects.toMatchObject({ code: "22012" });
  expect(await backend.sql("show timezone")).toEqual([{ TimeZone: "UTC" }]);
});
