import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { inspect } from "node:util";
import type { SupabaseClient } from "@supabase/supabase-js";
import { clientOf } from "./support/client.ts";
import { startTestBackend, type TestBackend } from "./support/start-backend.ts";
import { testAdmin } from "../support/test-admin.ts";

const migrations = {
  "1_people.sql": `
    create table public.people (
      id int primary key,
      email text not null unique,
      age int check (age > 0),
      friend int references public.people
    );
    insert into public.people values (1, 'first@example.org', 40, null);
    create function public.raise_it() returns void language plpgsql set search_path = '' as
      $$ begin raise exception 'Not on a Sunday' using detail = 'It is Sunday', hint = 'Come tomorrow'; end $$;
    create function public.raise_teapot() returns void language plpgsql set search_path = '' as
      $$ begin raise sqlstate 'PT418' using message = 'Short and stout'; end $$;
    create table public.hidden (id int);
    revoke all on public.hidden from anon, authenticated;`,
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

  const person = { id: 2, email: "private@example.org" };
  it.each([
    ["a check", () => service.from("people").insert({ ...person, age: -1 }), 400, "23514"],
    ["not null", () => service.from("people").insert({ id: 2, email: null }), 400, "23502"],
    ["unique", () => service.from("people").insert({ id: 2, email: "first@example.org" }), 409, "23505"],
    ["a foreign key", () => service.from("people").insert({ ...person, friend: 99 }), 409, "23503"],
    ["a value of the wrong type", () => service.from("people").select().eq("id", "private"), 400, "22P02"],
    ["an unknown column", () => service.from("people").select("private"), 400, "42703"],
    ["an unknown table", () => service.from("persons").select(), 404, "PGRST205"],
    ["an unknown function", () => service.rpc("no_such"), 404, "PGRST202"],
    ["raise", () => service.rpc("raise_it"), 400, "P0001"],
    ["raise with a status", () => service.rpc("raise_teapot"), 418, "PT418"],
    ["a missing privilege, signed out", () => anon.from("hidden").select(), 401, "42501"],
    ["a missing privilege, signed in", () => member.from("hidden").select(), 403, "42501"],
    ["a single row that does not exist", () => service.from("people").select().eq("id", 9).single(), 406, "PGRST116"],
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
    expect((await service.from("people").insert({ ...person, age: -1 })).error?.message).toBe(
      'new row for relation "people" violates check constraint "people_age_check"',
    );
  });

  it("logs its code and constraint, but no data of the row, the query string or the body", async () => {
    await service.from("people").insert({ ...person, age: -1 });
    await service.from("people").insert({ ...person, email: "first@example.org" });
    await service.from("people").select().eq("id", "private@example.org");
    await service.from("people").select("id,").filter("email", "like(", "private@example.org");
    await service.from("people").select().or("email.nonsense.private@example.org");
    expect(backend.events).toContainEqual(
      expect.objectContaining({ event: "embedded.sql-error", code: "23514", constraint: "people_age_check" }),
    );
    expect(JSON.stringify(backend.events)).not.toMatch(/private|example\.org/);
    expect(printed).toEqual([]);
    expect(console.error).not.toHaveBeenCalled();
  });

  it("in the sign-in service logs no parameter either", async () => {
    vi.mocked(console.error).mockImplementation(print);
    await backend.sql("alter table auth.users rename to lost");
    const result = await anon.auth.signInWithPassword({ email: "private@example.org", password: "private-word" });
    await backend.sql("alter table auth.lost rename to users");
    expect(result.error?.status).toBe(500);
    expect(inspect(printed, { depth: 9 })).not.toMatch(/private|example\.org/);
    expect(inspect(printed, { depth: 9 })).toContain("42P01");
    vi.mocked(console.error).mockClear();
  });

  it("does not change the process's exit code", async () => {
    await service.from("people").insert({ ...person, age: -1 });
    expect(process.exitCode).toBeUndefined();
  });
});
