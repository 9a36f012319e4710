import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SupabaseClient } from "@supabase/supabase-js";
import { clientOf } from "./support/client.ts";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";

const tables = `
  create function public.count_rows() returns int language sql as 'select 0';
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
