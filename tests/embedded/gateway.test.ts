import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SupabaseClient } from "@supabase/supabase-js";
import { clientOf } from "./support/client.ts";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";

const tables = `
  create function public.count_rows() returns int language sql as 'select 0';
  create table public.acknowledged (id int primary key, body text check (body <> 'bad'));
  create function public.acknowledge(id int, body text) returns int language sql as
    $$ insert into public.acknowledged values (id, body) returning id $$;
  create schema private;
  create function private.read_notes() returns int language sql as 'select 1';
  grant usage on schema private to service_role;
  create function auth.read_users() returns int language sql as 'select 1';
  create function extensions.extend() returns int language sql as 'select 1';
  grant execute on all functions in schema private, auth, extensions to service_role;`;

describe("the gateway of the embedded backend", () => {
  let backend: TestBackend;
  let service: SupabaseClient;

  beforeAll(async () => {
    backend = await startTestBackend({
      migrations: { "1_rows.sql": tables },
      functions: {
        // Calls back in, as the product's functions do: it must not deadlock.
        count: async () => ({
          default: {
            async fetch(request) {
              const { data: count } = await service.rpc("count_rows");
              return Response.json({ count, method: request.method, said: await request.text() });
            },
          },
        }),
        broken: async () => ({
          default: {
            async fetch() {
              throw new RangeError("private@example.org is out of range");
            },
          },
        }),
      },
    });
    service = clientOf(backend, backend.secretKey);
  });
  afterAll(() => backend.remove());

  it.each([
    "/",
    "/_system",
    "/_system/introspect",
    "//_system/info",
    "/rest/v1/../../_system/introspect",
    "/rest/v1/%2e%2e/%2e%2e/_system/introspect",
    "/rest/v1/..\\..\\_system/introspect",
    "/%5fsystem/introspect",
    "/rest/v1/..%2f..%2f_system%2fintrospect",
    "/rest/v1//_system/introspect",
    "/rest/v1/",
    "/rest/v1/rows",
    "/rest/v1/rpc/",
    "/rest/v1/rpc/count_rows/",
    "/rest/v1/rpc/%",
    "/rest/v1/rpc/private.read_notes",
    "/rest/v10/rpc/count_rows",
    "/REST/v1/rpc/count_rows",
    "/storage/v1/bucket",
    "/graphql/v1",
    "/functions/v1/",
    "/functions/v1/unknown",
    "/functions/v1/__proto__",
    "/functions/v1/constructor",
    "/auth/v1/admin/users",
    "/auth/v1/admin/users/6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
    "/auth/v1/admin/generate_link",
  ])("responds 404 at %s", async (path) => {
    const headers = { apikey: backend.secretKey, authorization: `Bearer ${backend.secretKey}` };
    const response = await backend.fetch(`${backend.url}${path}`, { headers });
    expect(response.status).toBe(404);
    expect(await response.text()).not.toMatch(/jwt_secret|columns|connection/);
  });

  it.each([
    ["auth", "read_users"],
    ["private", "read_notes"],
    ["extensions", "extend"],
    ["pg_catalog", "pg_sleep"],
    ["information_schema", "_pg_char_max_length"],
  ])("exposes no function of the schema %s, not even to the secret key", async (schema, name) => {
    const call = (method: string, headers: object, body: string | null) =>
      backend.fetch(`${backend.url}/rest/v1/rpc/${name}`, {
        method,
        headers: { apikey: backend.secretKey, "content-type": "application/json", ...headers },
        body,
      });
    for (const refused of [
      await call("GET", { "accept-profile": schema }, null),
      await call("POST", { "content-profile": schema }, "{}"),
    ])
      expect([refused.status, (await refused.json()).code]).toEqual([406, "PGRST106"]);
    expect((await call("POST", {}, "{}")).status).toBe(404);
  });

  it("loses no acknowledged row to a concurrent failed request", async () => {
    const inserts = Array.from({ length: 150 }, async (_, id) => {
      const { error } = await service.rpc("acknowledge", { id, body: id % 3 === 0 ? "bad" : "good" });
      return error ? [] : [{ id }];
    });
    const acknowledged = (await Promise.all(inserts)).flat();
    expect(acknowledged).toHaveLength(100);
    expect(await backend.sql("select id from public.acknowledged order by id")).toEqual(acknowledged);
  });

  it("prevents writes in a function called with GET, and allows them after a POST", async () => {
    for (const id of [1_000, 1_001]) {
      // 25006: read_only_sql_transaction.
      expect((await service.rpc("acknowledge", { id, body: "" }, { get: true })).error?.code).toBe("25006");
      expect((await service.rpc("acknowledge", { id, body: "" })).data).toBe(id);
    }
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
    const twenty = Array.from({ length: 20 }, async () => service.functions.invoke("count", { body: "hello" }));
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
});
