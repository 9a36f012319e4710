import { expect, it, vi } from "vitest";
import { edgeFunction, useTestBackend } from "./support/start-backend.ts";

const tables = `
  create function public.count_rows() returns int language sql as 'select 0';
  create table public.acknowledged (id int primary key, body text check (body <> 'bad'));
  create function public.acknowledge(id int, body text) returns int language sql as
    $$ insert into public.acknowledged values (id, body) returning id $$;
  create table public.people (id int primary key, email text not null unique, age int check (age > 0));
  insert into public.people values (1, 'first@example.org', 40);
  create function public.add(id int, email text default 'private@example.org', age int default 1)
    returns void language sql set search_path = '' as $$ insert into public.people values (id, email, age) $$;
  create function public.find(person int) returns setof public.people language sql stable set search_path = '' as
    $$ select * from public.people where id = person $$;`;

const backend = useTestBackend({
  migrations: { "1_rows.sql": tables },
  functions: {
    // Calls back in, as the product's functions do: it must not deadlock.
    count: edgeFunction(async (request) => {
      const { data: count } = await backend.service.rpc("count_rows");
      return Response.json({ count, method: request.method, said: await request.text() });
    }),
    broken: edgeFunction(() => Promise.reject(new RangeError("private@example.org is out of range"))),
  },
});

it.each([
  "/",
  "/rest/v1/../../auth/v2/user",
  "/rest/v1/..%2f..%2fauth%2fv1%2fuser",
  "/rest/v1/rows",
  "/rest/v10/rpc/count_rows",
  "/REST/v1/rpc/count_rows",
  "/storage/v1/bucket",
  "/functions/v1/",
  "/functions/v1/unknown",
  "/functions/v1/__proto__",
  "/auth/v1/admin/users",
  "/auth/v1/admin/users/6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
])("responds 404 at %s", async (path) => {
  const headers = { apikey: backend.secretKey, authorization: `Bearer ${backend.secretKey}` };
  expect((await backend.fetch(`${backend.url}${path}`, { headers })).status).toBe(404);
});

it("loses no acknowledged row to a concurrent failed request", async () => {
  const inserts = Array.from({ length: 150 }, async (_, id) => {
    const { error } = await backend.service.rpc("acknowledge", { id, body: id % 3 === 0 ? "bad" : "good" });
    return error ? [] : [{ id }];
  });
  const acknowledged = (await Promise.all(inserts)).flat();
  expect(acknowledged).toHaveLength(100);
  expect(await backend.sql("select id from public.acknowledged order by id")).toEqual(acknowledged);
});

it("grants the privileges of a hosted project on new tables and functions", async () => {
  const [rights] = await backend.sql(`
      select has_table_privilege('anon', 'public.acknowledged', 'select, insert, update, delete, truncate') as tables,
        has_function_privilege('anon', 'public.count_rows()', 'execute') as functions,
        has_schema_privilege('anon', 'auth', 'usage') as auth_schema,
        has_table_privilege('anon', 'auth.users', 'select') as auth_users,
        has_schema_privilege('anon', 'supabase_migrations', 'usage') as migrations`);
  expect(rights).toEqual({ tables: true, functions: true, auth_schema: true, auth_users: false, migrations: false });
});

it("runs functions concurrently, even when they call the backend", async () => {
  const twenty = Array.from({ length: 20 }, async () => backend.service.functions.invoke("count", { body: "hello" }));
  const answers = await Promise.all(twenty);
  for (const { data } of answers) expect(data).toEqual({ count: 0, method: "POST", said: "hello" });
});

it("responds 500 without details for a failed function, and logs the class without data", async () => {
  const response = await backend.fetch(`${backend.url}/functions/v1/broken`);
  expect([response.status, await response.json()]).toEqual([500, { error: "internal" }]);
  const event = backend.events.find((entry) => entry.event === "embedded.function-error");
  expect(event).toMatchObject({ function: "broken", class: "RangeError" });
  expect(event?.stack).toMatch(/gateway\.test\.ts/);
  expect(JSON.stringify(backend.events)).not.toContain("private@example.org");
});

it("logs a database error's code and constraint, but no data of the row, the query string, the body or a sign-in", async () => {
  backend.events.length = 0;
  const printed: unknown[][] = [];
  const spies = (["log", "info", "warn", "debug"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...values) => void printed.push(values)),
  );
  const call = (name: string, given: object) => backend.service.rpc(name, given);
  await call("add", { id: 2, age: -1 });
  await call("add", { id: 2, email: "first@example.org" });
  await call("find", { person: "private@example.org" });
  await call("find", { "private@example.org": 1 });
  await backend.service.rpc("find", { person: "private@example.org" }, { get: true });
  await backend.sql("alter table auth.users rename to lost");
  const credentials = { email: "private@example.org", password: "private-word" };
  expect((await backend.client().auth.signInWithPassword(credentials)).error?.status).toBe(500);
  await backend.sql("alter table auth.lost rename to users");
  expect(backend.events.map(({ event, code, constraint }) => [event, code, constraint])).toEqual([
    ["embedded.sql-error", "23514", "people_age_check"],
    ["embedded.sql-error", "23505", "people_email_key"],
    ["embedded.sql-error", "22P02", undefined],
    ["embedded.sql-error", "22P02", undefined],
    ["embedded.sql-error", "42P01", undefined],
  ]);
  expect(JSON.stringify(backend.events)).not.toMatch(/private|example\.org/);
  for (const spy of spies) spy.mockRestore();
  expect(printed).toEqual([]);
  expect(console.error).not.toHaveBeenCalled();
});

it("uses a function's present result type after it has changed", async () => {
  const read = () => backend.service.rpc("words");
  await backend.sql("create function public.words() returns table (answer int) language sql as 'select 1'");
  for (let call = 0; call < 2; call += 1) expect((await read()).data).toEqual([{ answer: 1 }]);
  await backend.sql(`
      drop function public.words();
      create function public.words() returns table (words text) language sql as $$ select 'one' $$`);
  expect((await read()).data).toEqual([{ words: "one" }]);
});

it("returns to the operator's scripts rows of a query with parameters, and the last result of several statements", async () => {
  expect(await backend.sql("select $1::int + 1 as n", [1])).toEqual([{ n: 2 }]);
  expect(await backend.sql("select 1 as n; select 2 as n")).toEqual([{ n: 2 }]);
  await expect(backend.sql("select 1 / $1::int", [0])).rejects.toMatchObject({ code: "22012" });
  expect(await backend.sql("show timezone")).toEqual([{ TimeZone: "UTC" }]);
});
