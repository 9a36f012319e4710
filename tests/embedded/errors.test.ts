import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { SupabaseClient } from "@supabase/supabase-js";
import { clientOf } from "./support/client.ts";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";
import { testAdmin } from "../support/test-admin.ts";

const migrations = {
  "1_people.sql": `
    create table public.people (id int primary key, email text not null unique, age int check (age > 0));
    insert into public.people values (1, 'first@example.org', 40);
    create function public.raise_it() returns void language plpgsql set search_path = '' as
      $$ begin raise exception 'Not on a Sunday' using detail = 'It is Sunday', hint = 'Come tomorrow'; end $$;
    create function public.raise_code(code text) returns void language plpgsql set search_path = '' as
      $$ begin raise exception using errcode = code; end $$;
    create function public.add(id int, email text default 'private@example.org', age int default 1)
      returns void language sql set search_path = '' as $$ insert into public.people values (id, email, age) $$;
    create function public.find(person int) returns setof public.people language sql stable set search_path = '' as
      $$ select * from public.people where id = person $$;
    create function public.hidden() returns int language sql as 'select 1';
    revoke execute on function public.hidden() from public, anon, authenticated;`,
};

describe("a database error", () => {
  let backend: TestBackend;
  let service: SupabaseClient;
  let anon: SupabaseClient;
  let member: SupabaseClient;
  const printed: unknown[][] = [];
  const print = (...values: unknown[]) => void printed.push(values);
  let spies: { mockRestore(): void }[] = [];

  beforeAll(async () => {
    // Earlier test files in this process may have set an exit code.
    process.exitCode = undefined;
    backend = await startTestBackend({ migrations });
    service = clientOf(backend, backend.secretKey);
    anon = clientOf(backend, backend.publishableKey);
    member = clientOf(backend, backend.publishableKey);
    await member.auth.signInWithPassword(testAdmin);
  });
  afterAll(() => backend.remove());

  beforeEach(() => {
    printed.length = 0;
    backend.events.length = 0;
    spies = (["log", "info", "warn", "debug"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(print),
    );
  });
  afterEach(() => {
    for (const spy of spies) spy.mockRestore();
  });

  it.each<[status: number, ...codes: string[]]>([
    [400, "22P02", "23502", "23514", "42703", "P0001"],
    [403, "28000"],
    [404, "42883", "42P01"],
    [405, "25006"],
    [409, "23503", "23505"],
    [413, "54000"],
    [418, "PT418"],
    [500, "21000", "P0002"],
    [503, "53100", "57P01"],
  ])("has PostgREST's status %i with the SQLSTATE %s", async (status, ...codes) => {
    for (const code of codes) {
      const result = await service.rpc("raise_code", { code });
      expect([result.status, result.error?.code]).toEqual([status, code]);
    }
  });

  it.each([
    ["a table", () => service.from("people").select(), 404, "PGRST125"],
    ["an unknown function", () => service.rpc("no_such"), 404, "PGRST202"],
    ["an argument too many", () => service.rpc("find", { person: 1, other: 2 }), 404, "PGRST202"],
    ["an argument too few", () => service.rpc("find"), 404, "PGRST202"],
    ["a missing privilege, signed out", () => anon.rpc("hidden"), 401, "42501"],
    ["a missing privilege, signed in", () => member.rpc("hidden"), 403, "42501"],
    ["a single row that does not exist", () => service.rpc("find", { person: 9 }).single(), 406, "PGRST116"],
  ])("of %s has PostgREST's status and code", async (_, send, status, code) => {
    const result = await send();
    expect([result.status, result.error?.code]).toEqual([status, code]);
  });

  it("keeps message, details and hint for the caller", async () => {
    expect((await service.rpc("raise_it")).error).toMatchObject({
      message: "Not on a Sunday",
      details: "It is Sunday",
      hint: "Come tomorrow",
    });
    expect((await service.rpc("add", { id: 2, age: -1 })).error?.message).toBe(
      'new row for relation "people" violates check constraint "people_age_check"',
    );
  });

  it("logs its code and constraint, but no data of the row, the query string or the body", async () => {
    await service.rpc("add", { id: 2, age: -1 });
    await service.rpc("add", { id: 2, email: "first@example.org" });
    await service.rpc("find", { person: "private@example.org" });
    await service.rpc("find", { "private@example.org": 1 });
    const headers = { apikey: backend.secretKey };
    await backend.fetch(`${backend.url}/rest/v1/rpc/find?person=private@example.org`, { headers });
    expect(backend.events).toContainEqual(
      expect.objectContaining({ event: "embedded.sql-error", code: "23514", constraint: "people_age_check" }),
    );
    expect(JSON.stringify(backend.events)).not.toMatch(/private|example\.org/);
    expect(printed).toEqual([]);
    expect(console.error).not.toHaveBeenCalled();
  });

  it("in the sign-in service logs no parameter either", async () => {
    await backend.sql("alter table auth.users rename to lost");
    const result = await anon.auth.signInWithPassword({ email: "private@example.org", password: "private-word" });
    await backend.sql("alter table auth.lost rename to users");
    expect(result.error?.status).toBe(500);
    expect(backend.events).toEqual([expect.objectContaining({ event: "embedded.sql-error", code: "42P01" })]);
    expect(JSON.stringify(backend.events)).not.toMatch(/private|example\.org/);
    expect(printed).toEqual([]);
  });

  it("does not change the process's exit code", async () => {
    await service.rpc("add", { id: 2, age: -1 });
    expect(process.exitCode).toBeUndefined();
  });
});
