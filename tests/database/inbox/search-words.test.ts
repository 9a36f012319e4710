import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { fillInbox, list } from "../support/inbox.ts";
import { signInAdmin } from "../support/test-backend.ts";

const people = [
  ["Jürgen Müller", "Call +1 (212) 555-0100 after noon."],
  ["Éloïse Dvořák", "Our office: Hauptstraße 5, 10115 Berlin"],
  ["Nguyễn Thị Hồng", "Tel. 0121.555.0199, or 2026/11/29"],
] as const;

eachBackend("words of a search", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
    for (const [name, message] of people) await fillInbox(backend, 1, { name: `'${name}'`, message: `'${message}'` });
  });

  it.each([
    ["Jurgen", "Jürgen Müller"],
    ["JÜRGEN", "Jürgen Müller"],
    ["müller jürgen", "Jürgen Müller"],
    ["Dvorak", "Éloïse Dvořák"],
    ["STRASSE", "Éloïse Dvořák"],
    ["straße 5", "Éloïse Dvořák"],
    ["Nguyen thi", "Nguyễn Thị Hồng"],
    ["2125550100", "Jürgen Müller"],
    ["212-555-0100", "Jürgen Müller"],
    ["(212) 555 0100", "Jürgen Müller"],
    ["0121 555 0199", "Nguyễn Thị Hồng"],
    ["11/29", "Nguyễn Thị Hồng"],
  ])("find %s", async (search, name) => {
    expect((await list(admin, { search })).rows.map((row) => row.name)).toEqual([name]);
  });

  it.each(["Müller Éloïse", "212 555 0199", "' or true --"])("find no message with only some of %s", async (search) => {
    expect((await list(admin, { search })).rows).toEqual([]);
  });

  it("find a request by a name without its accents", async () => {
    await backend.sql(
      `insert into public.data_rights_requests (reference, name, email, request_type, description, due_on)
       values ('DR-ABCD-2345', 'Jürgen Müller', 'j@example.com', 'access', 'All data', current_date + 30) returning 1`,
    );
    const { rows } = await list(admin, { search: "muller JURGEN" }, "read_requests");
    expect(rows.map((row) => row.name)).toEqual(["Jürgen Müller"]);
  });
});
