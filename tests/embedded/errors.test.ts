import { describe, expect, it, vi } from "vitest";
import { useTestBackend } from "./support/start-backend.ts";

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
  const backend = useTestBackend({ migrations });
  const call = (name: string, given?: object) => backend.service.rpc(name, given);

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
      const result = await call("raise_code", { code });
      expect([result.status, result.error?.code]).toEqual([status, code]);
    }
  });

  it.each([
    ["an argument too many", () => call("find", { person: 1, other: 2 }), 404, "PGRST202"],
    ["an argument too few", () => call("find"), 404, "PGRST202"],
    ["a missing privilege, signed out", () => backend.client().rpc("hidden"), 401, "42501"],
    [
      "a missing privilege, signed in",
      async () => backend.client((await backend.signIn()).access_token).rpc("hidden"),
      403,
      "42501",
    ],
    ["a single row that does not exist", () => call("find", { person: 9 }).single(), 406, "PGRST116"],
  ])("of %s has PostgREST's status and code", async (_, send, status, code) => {
    const result = await send();
    expect([result.status, result.error?.code]).toEqual([status, code]);
  });

  it("keeps message, details and hint for the caller", async () => {
    expect((await call("raise_it")).error).toMatchObject({
      message: "Not on a Sunday",
      details: "It is Sunday",
      hint: "Come tomorrow",
    });
  });

  it("logs its code and constraint, but no data of the row, the query string, the body or a sign-in", async () => {
    backend.events.length = 0;
    const printed: unknown[][] = [];
    const spies = (["log", "info", "warn", "debug"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((...values) => void printed.push(values)),
    );
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
});
