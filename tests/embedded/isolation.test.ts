import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SupabaseClient } from "@supabase/supabase-js";
import { clientOf } from "./support/client.ts";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";
import { testAdmin } from "../support/test-admin.ts";

const migrations = {
  "1_secrets.sql": `
    create table public.secrets (id int primary key, owner uuid, body text check (length(body) < 20));
    alter table public.secrets enable row level security;
    create policy own on public.secrets for select to authenticated using (owner = (select auth.uid()));
    insert into public.secrets select i, null, 'secret ' || i from generate_series(1, 40) i;
    create function public.list_secrets() returns setof int language sql stable as
      $$ select id from public.secrets $$;`,
  "2_acknowledged.sql": `
    create table public.acknowledged (id int primary key, body text check (body <> 'bad'));
    create function public.acknowledge(id int, body text) returns void language sql as
      $$ insert into public.acknowledged values (id, body) $$;`,
  "3_revoked.sql": `
    create table public.revoked (id int primary key, open text, closed text);
    alter table public.revoked enable row level security;
    create policy everyone on public.revoked for all using (true) with check (true);
    revoke all on public.revoked from public, anon, authenticated;
    grant select (id, open) on public.revoked to anon;
    insert into public.revoked values (1, 'open', 'closed');
    create function public.read_open() returns setof text language sql as $$ select open from public.revoked $$;
    create function public.read_closed() returns setof text language sql as $$ select closed from public.revoked $$;
    create function public.add_revoked() returns void language sql as $$ insert into public.revoked values (2) $$;
    create function public.change_revoked() returns void language sql as $$ update public.revoked set open = 'x' $$;
    create function public.delete_revoked() returns void language sql as $$ delete from public.revoked $$;`,
  "4_who_am_i.sql": `
    create function public.who_am_i() returns jsonb language sql stable set search_path = '' as
      $$ select jsonb_build_object('uid', auth.uid(), 'role', current_user, 'jwt', auth.jwt()) $$;
    create function public.for_service_only() returns int language sql set search_path = '' as 'select 1';
    revoke execute on function public.for_service_only() from public, anon, authenticated;`,
  "5_writes.sql": `
    create table public.calls (at timestamptz default now());
    create function public.write_call() returns int language plpgsql set search_path = '' as
      $$ begin insert into public.calls default values; return 1; end $$;`,
};

function forgedToken(signature: string): string {
  return `${btoa('{"alg":"HS256"}')}.${btoa('{"role":"service_role"}')}.${signature}`.replaceAll("=", "");
}

describe("one database session for all requests", () => {
  let backend: TestBackend;
  let anon: SupabaseClient;
  let service: SupabaseClient;

  beforeAll(async () => {
    backend = await startTestBackend({ migrations });
    anon = clientOf(backend, backend.publishableKey);
    service = clientOf(backend, backend.secretKey);
  });
  afterAll(() => backend.remove());

  it("never shows a visitor rows of a concurrent read by the service role", async () => {
    const reads = Array.from({ length: 500 }, async (_, index) => {
      const isService = index % 2 === 0;
      const { data, error } = await (isService ? service : anon).rpc("list_secrets");
      return { isService, rows: data?.length, error };
    });
    for (const { isService, rows, error } of await Promise.all(reads)) {
      expect(error).toBeNull();
      expect(rows).toBe(isService ? 40 : 0);
    }
  });

  it("loses no acknowledged row to a concurrent failed request", async () => {
    const inserts = Array.from({ length: 150 }, async (_, id) => {
      const { error } = await service.rpc("acknowledge", { id, body: id % 3 === 0 ? "bad" : "good" });
      return error ? null : id;
    });
    const acknowledged = (await Promise.all(inserts)).filter((id) => id !== null);
    const stored = await backend.sql<{ id: number }>("select id from public.acknowledged order by id");
    expect(acknowledged).toHaveLength(100);
    expect(stored.map((row) => row.id)).toEqual(acknowledged);
  });

  it("prevents writes in a function called with GET, and allows them after a POST", async () => {
    for (let time = 0; time < 3; time++) {
      // 25006: read_only_sql_transaction.
      expect((await service.rpc("write_call", {}, { get: true })).error?.code).toBe("25006");
      expect((await service.rpc("write_call")).error).toBeNull();
    }
    expect(await backend.sql("select count(*)::int as stored from public.calls")).toEqual([{ stored: 3 }]);
  });

  it("keeps privileges revoked that a migration revoked, also after the first request", async () => {
    expect((await anon.rpc("read_open")).data).toEqual(["open"]);
    const denied = [
      await anon.rpc("read_closed"),
      await anon.rpc("add_revoked"),
      await anon.rpc("change_revoked"),
      await anon.rpc("delete_revoked"),
      await anon.rpc("for_service_only"),
    ];
    for (const { status, error } of denied) expect([status, error?.code]).toEqual([401, "42501"]);
    expect((await service.rpc("for_service_only")).data).toBe(1);
  });

  it("grants the privileges of a hosted project on new tables and functions", async () => {
    const [rights] = await backend.sql(`
      select has_table_privilege('anon', 'public.secrets', 'select, insert, update, delete, truncate') as tables,
        has_function_privilege('anon', 'public.who_am_i()', 'execute') as functions,
        has_schema_privilege('anon', 'auth', 'usage') as auth_schema,
        has_table_privilege('anon', 'auth.users', 'select') as auth_users,
        has_schema_privilege('anon', 'supabase_migrations', 'usage') as migrations`);
    expect(rights).toEqual({ tables: true, functions: true, auth_schema: true, auth_users: false, migrations: false });
  });

  it("exposes the signed-in user to policies and functions", async () => {
    const member = clientOf(backend, backend.publishableKey);
    const { data } = await member.auth.signInWithPassword(testAdmin);
    await backend.sql("update public.secrets set owner = $1 where id = 7", [data.user?.id]);
    expect((await member.rpc("who_am_i")).data).toMatchObject({
      uid: data.user?.id,
      role: "authenticated",
      jwt: { sub: data.user?.id, role: "authenticated", email: testAdmin.email },
    });
    expect((await member.rpc("list_secrets")).data).toEqual([7]);
    expect((await anon.rpc("who_am_i")).data).toMatchObject({ uid: null, role: "anon", jwt: { role: "anon" } });
  });

  const read = (headers: Record<string, string>) =>
    backend.fetch(`${backend.url}/rest/v1/rpc/list_secrets`, {
      headers: { apikey: backend.publishableKey, ...headers },
    });

  it("accepts no forged token", async () => {
    expect((await read({ authorization: `Bearer ${forgedToken("Zm9yZ2Vk")}` })).status).toBe(401);
    const unsigned = forgedToken("").replace(btoa('{"alg":"HS256"}').replaceAll("=", ""), btoa('{"alg":"none"}'));
    for (const token of [forgedToken(""), unsigned, unsigned.slice(0, -1), "no-token", "sb_secret_guessed"])
      expect([token, (await read({ authorization: `Bearer ${token}` })).status]).toEqual([token, 401]);
    expect((await read({ authorization: `Bearer ${backend.publishableKey}` })).status).toBe(200);
    expect((await read({ apikey: "" })).status).toBe(401);
    expect((await read({ apikey: "sb_secret_guessed" })).status).toBe(401);
  });
});
