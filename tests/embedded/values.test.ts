import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SupabaseClient } from "@supabase/supabase-js";
import { clientOf } from "./support/client.ts";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";

const migrations = {
  "1_messages.sql": `
    create function public.join_words(words text[], separator text) returns text
      language sql as $$ select array_to_string(words, separator) $$;
    create table public.messages (
      id int primary key, at timestamptz, local timestamp, times timestamptz[], day date, price numeric
    );
    insert into public.messages values
      (1, '2026-02-03 04:05:06.7+02', '2026-02-03 04:05:06', array['2026-02-03 04:05:06+00'::timestamptz],
       '2026-02-03', 1.50),
      (2, 'infinity', null, null, null, 'NaN');
    create function public.list_messages() returns table (
      at timestamptz, local timestamp, times timestamptz[], day date, price numeric
    ) language sql stable as $$ select at, local, times, day, price from public.messages order by id $$;`,
};

describe("responses of the embedded backend", () => {
  let backend: TestBackend;
  let service: SupabaseClient;

  beforeAll(async () => {
    backend = await startTestBackend({ migrations });
    service = clientOf(backend, backend.secretKey);
  });
  afterAll(() => backend.remove());

  const joinWords = (words: unknown, separator: unknown) => service.rpc("join_words", { words, separator });

  it("have timestamps in ISO 8601 and UTC, and numbers as numbers", async () => {
    const { data } = await service.rpc("list_messages");
    expect(data).toEqual([
      {
        at: "2026-02-03T02:05:06.7+00:00",
        local: "2026-02-03T04:05:06",
        times: ["2026-02-03T04:05:06+00:00"],
        day: "2026-02-03",
        price: 1.5,
      },
      { at: "infinity", local: null, times: null, day: null, price: "NaN" },
    ]);
    expect(await backend.sql("show timezone")).toEqual([{ TimeZone: "UTC" }]);
  });

  it("reject a value of another type, without harm to the next call", async () => {
    for (const words of [-1, true, { a: 1 }, "a", [["a"], ["a", "b"]]])
      expect((await joinWords(words, " ")).error?.code).toBe("22P02");
    for (const separator of [true, ["-"], { toString: 1 }])
      expect((await joinWords(["a", "b"], separator)).data).toBe(`a${JSON.stringify(separator)}b`);
  });

  it("return an array for every array type of the schema", async () => {
    const product = await startTestBackend();
    try {
      const types = await product.sql<{ name: string }>(
        `select distinct format_type(typed, null) as name from (
           select atttypid as typed from pg_attribute where attnum > 0
             and attrelid in (select oid from pg_class where relkind in ('r', 'v') and relnamespace >= 16384)
           union all
           select unnest(prorettype || coalesce(proallargtypes, proargtypes)) from pg_proc where pronamespace >= 16384
         ) as used join pg_type on pg_type.oid = typed and typcategory = 'A' where typelem < 16384`,
      );
      expect(types.length).toBeGreaterThan(0);
      for (const { name } of types) {
        const [row] = await product.sql(`select '{}'::${name} as value`);
        expect(row, name).toEqual({ value: [] });
      }
    } finally {
      await product.remove();
    }
  });

  it("use a function's present result type after it has changed", async () => {
    await backend.sql("create function public.words() returns table (answer int) language sql as 'select 1'");
    for (let call = 0; call < 2; call += 1) expect((await service.rpc("words")).data).toEqual([{ answer: 1 }]);
    await backend.sql(`
      drop function public.words();
      create function public.words() returns table (words text) language sql as $$ select 'one' $$`);
    expect((await service.rpc("words")).data).toEqual([{ words: "one" }]);
  });

  it("return rows for a query with parameters, and the last result of several statements", async () => {
    expect(await backend.sql("select $1::int + 1 as n", [1])).toEqual([{ n: 2 }]);
    expect(await backend.sql("select 1 as n; select 2 as n")).toEqual([{ n: 2 }]);
    await expect(backend.sql("select 1 / $1::int", [0])).rejects.toMatchObject({ code: "22012" });
  });
});
