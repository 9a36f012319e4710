import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SupabaseClient } from "@supabase/supabase-js";
import { clientOf } from "./client.ts";
import { deferred } from "./deferred.ts";
import { adminEmail, adminPassword, startTestBackend, type TestBackend } from "./start-backend.ts";

const tables = `
  create table public.rows (id int primary key);
  create schema private;
  create table private.notes (id int);
  grant usage on schema private to service_role;
  grant all on private.notes to service_role;`;

describe("the door to the embedded backend", () => {
  let backend: TestBackend;
  let service: SupabaseClient;

  beforeAll(async () => {
    backend = await startTestBackend({
      migrations: { "1_rows.sql": tables },
      functions: {
        // Calls back in, as the product's functions do: it must not wait for itself.
        count: async () => ({
          default: {
            async fetch(request) {
              const { count } = await service.from("rows").select("*", { count: "exact", head: true });
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
    "/rest/v10/rows",
    "/REST/v1/rows",
    "/storage/v1/bucket",
    "/graphql/v1",
    "/functions/v1/",
    "/functions/v1/unknown",
    "/functions/v1/__proto__",
    "/functions/v1/constructor",
    "/auth/v1/admin/generate_link",
  ])("has nothing at %s", async (path) => {
    const headers = { apikey: backend.secretKey, authorization: `Bearer ${backend.secretKey}` };
    const answer = await backend.fetch(`${backend.url}${path}`, { headers });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toMatch(/jwt_secret|columns|connection/);
  });

  it.each(["auth", "private", "supabase_migrations", "extensions", "pg_catalog", "information_schema"])(
    "shows nothing of the schema %s, not even to the secret key",
    async (schema) => {
      const known = {
        auth: "users",
        private: "notes",
        supabase_migrations: "schema_migrations",
        pg_catalog: "pg_roles",
      };
      const table = Object.entries(known).find(([name]) => name === schema)?.[1] ?? "tables";
      const headers = { apikey: backend.secretKey, "accept-profile": schema };
      const byProfile = await backend.fetch(`${backend.url}/rest/v1/${table}`, { headers });
      expect([byProfile.status, (await byProfile.json()).code]).toEqual([406, "PGRST106"]);
      const byName = await backend.fetch(`${backend.url}/rest/v1/${schema}.${table}`, {
        headers: { apikey: backend.secretKey },
      });
      expect(byName.status).toBe(404);
    },
  );

  it("runs a function, which can use the backend itself, also many at once", async () => {
    const twenty = Array.from({ length: 20 }, async () => service.functions.invoke("count", { body: "hello" }));
    const answers = await Promise.all(twenty);
    for (const { data } of answers) expect(data).toEqual({ count: 0, method: "POST", said: "hello" });
  });

  it("answers for a function that fails without saying why to anybody but the operator, who sees no data", async () => {
    const answer = await backend.fetch(`${backend.url}/functions/v1/broken`);
    expect([answer.status, await answer.json()]).toEqual([500, { error: "internal" }]);
    const event = backend.events.find((entry) => entry.event === "embedded.function-error");
    expect(event).toMatchObject({ function: "broken", class: "RangeError" });
    expect(event?.stack).toMatch(/gateway\.test\.ts/);
    expect(JSON.stringify(backend.events)).not.toContain("private@example.org");
  });

  it("has no sign-up, with either key, and a password of fewer than twelve characters is refused", async () => {
    const anon = clientOf(backend, backend.publishableKey);
    const credentials = { email: "new@example.org", password: "long-enough-password" };
    for (const client of [anon, clientOf(backend, backend.secretKey)]) {
      expect((await client.auth.signUp(credentials)).error?.code).toBe("signup_disabled");
    }
    const { email } = credentials;
    expect((await anon.auth.signInWithOtp({ email })).error?.code).toBe("otp_disabled");
    expect((await anon.auth.resetPasswordForEmail(adminEmail)).error?.code).toBe("otp_disabled");
    for (const endpoint of [
      "otp",
      "magiclink",
      "recover",
      "resend",
      "verify",
      "invite",
      "authorize",
      "OTP",
      "otp/",
      "%6ftp",
    ]) {
      const headers = { apikey: backend.secretKey, "content-type": "application/json" };
      const body = JSON.stringify({ email, create_user: true });
      const answer = await backend.fetch(`${backend.url}/auth/v1/${endpoint}`, { method: "POST", headers, body });
      expect(answer.status).toBe(422);
    }
    expect(await backend.sql("select email from auth.users")).toEqual([{ email: adminEmail }]);
    await anon.auth.signInWithPassword({ email: adminEmail, password: adminPassword });
    expect((await anon.auth.updateUser({ password: "only-11-chr" })).error?.code).toBe("weak_password");
  });

  it("sends no mail of its own and tells the operator only that it dropped one", async () => {
    const member = clientOf(backend, backend.publishableKey);
    await member.auth.signInWithPassword({ email: adminEmail, password: adminPassword });
    backend.events.length = 0;
    await member.auth.reauthenticate();
    expect(backend.events).toEqual([{ event: "embedded.auth-mail-dropped" }]);
  });

  it("never runs a request that was given up while it waited, and finishes one that was running", async () => {
    const anon = { apikey: backend.publishableKey, "content-type": "application/json" };
    const sessions = async () => (await backend.sql("select id from auth.sessions")).length;
    const before = await sessions();
    const running = new AbortController();
    const signIn = backend.fetch(`${backend.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: anon,
      body: JSON.stringify({ email: adminEmail, password: adminPassword }),
      signal: running.signal,
    });
    const waiting = new AbortController();
    const insert = backend.fetch(`${backend.url}/rest/v1/rows`, {
      method: "POST",
      headers: { ...anon, apikey: backend.secretKey },
      body: JSON.stringify({ id: 1 }),
      signal: waiting.signal,
    });
    // The password is being hashed now, which takes far longer than this.
    await new Promise((resolve) => setTimeout(resolve, 10));
    running.abort();
    waiting.abort();
    await expect(signIn).rejects.toMatchObject({ name: "AbortError" });
    await expect(insert).rejects.toMatchObject({ name: "AbortError" });
    expect(await sessions()).toBe(before + 1);
    expect(await backend.sql("select id from public.rows")).toEqual([]);
  });
});

describe("closing", () => {
  it("waits for what runs, can be asked twice, and then is gone like a network; the folder starts again", async () => {
    const held = deferred();
    const backend = await startTestBackend({
      migrations: { "1_rows.sql": "create table public.rows (id int primary key)" },
      functions: {
        slow: async () => ({
          default: {
            async fetch() {
              await held.promise;
              const { error } = await clientOf(backend, backend.secretKey).from("rows").insert({ id: 1000 });
              return Response.json({ error });
            },
          },
        }),
      },
    });
    const service = clientOf(backend, backend.secretKey);
    const slow = backend.fetch(`${backend.url}/functions/v1/slow`);
    const inserts = Array.from({ length: 30 }, async (_, id) => service.from("rows").insert({ id }));
    const closing = backend.close();
    held.resolve();
    await Promise.all([closing, backend.close()]);
    for (const { error } of await Promise.all(inserts)) expect(error).toBeNull();
    expect(await (await slow).json()).toEqual({ error: null });
    await expect(backend.fetch(`${backend.url}/rest/v1/rows`)).rejects.toThrow(
      new TypeError("embedded backend is closed"),
    );
    expect((await service.from("rows").insert({ id: 31 })).error?.message).toMatch(/embedded backend is closed/);
    await expect(backend.sql("select 1")).rejects.toThrow(/closed/);

    const again = await startTestBackend({ dataDir: backend.dataDir });
    expect(await again.sql("select count(*) as n from public.rows")).toEqual([{ n: 31 }]);
    await again.remove();
    expect(process.exitCode).toBeUndefined();
  });
});
