import { beforeEach, describe, expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receiveRequest } from "../support/data-rights.ts";
import { fillInbox, idsOf, list, readAllPages } from "../support/inbox.ts";
import { join } from "../support/network.ts";

eachBackend("inbox search", (backend) => {
  const admin = useAdmin(backend);

  beforeEach(() => backend.sql("delete from public.contact_submissions returning 1 as ok"));

  it("finds any part of any text, ignoring case and treating wildcards literally", async () => {
    await fillInbox(backend, 40);
    await fillInbox(backend, 1, { name: "'Ada Lovelace'", message: "e'It is 100% of the_plan \\\\o/\\nsecond line'" });
    const searches: [string, number][] = [
      ["ADA LOVE", 1],
      ["ngine", 41],
      ["a@EXAMPLE.com", 41],
      ["100%", 1],
      ["%", 1],
      ["_", 1],
      ["the_plan", 1],
      ["\\o/", 1],
      ["growth", 41],
      ["scale", 41],
      ["line", 1],
      ["' or true --", 0],
      ["lovelacea@example", 0],
      ["", 41],
      ["   ", 41],
      ["  Ada  ", 1],
    ];
    for (const [search, count] of searches) {
      const pages = await readAllPages(admin, { search });
      expect([search, pages.flatMap(idsOf).length]).toEqual([search, count]);
    }
    expect((await list(admin, { search: "ada", folder: "done" })).rows).toEqual([]);
  });

  describe("by words", () => {
    const people = [
      ["Jürgen Müller", "Call +1 (212) 555-0100 after noon."],
      ["Éloïse Dvořák", "Our office: Hauptstraße 5, 10115 Berlin"],
      ["Nguyễn Thị Hồng", "Tel. 0121.555.0199, or 2026/11/29"],
      ["Ame\u0301lie Renoir", "In parts"],
    ];

    beforeEach(async () => {
      for (const [name, message] of people) await fillInbox(backend, 1, { name: `'${name}'`, message: `'${message}'` });
    });

    it.each([
      ["Jurgen", "Jürgen Müller"],
      ["JÜRGEN", "Jürgen Müller"],
      ["müller jürgen", "Jürgen Müller"],
      ["Am\u00e9lie", "Ame\u0301lie Renoir"],
      ["amelie", "Ame\u0301lie Renoir"],
      ["Dvorak", "Éloïse Dvořák"],
      ["STRASSE", "Éloïse Dvořák"],
      ["straße 5", "Éloïse Dvořák"],
      ["Nguyen thi", "Nguyễn Thị Hồng"],
      ["2125550100", "Jürgen Müller"],
      ["212-555-0100", "Jürgen Müller"],
      ["(212) 555 0100", "Jürgen Müller"],
      ["0121 555 0199", "Nguyễn Thị Hồng"],
      ["11/29", "Nguyễn Thị Hồng"],
    ])("finds %s without its accents, in any order, and as a phone number", async (search, name) => {
      expect((await list(admin, { search })).rows.map((row) => row.name)).toEqual([name]);
    });

    it.each(["Müller Éloïse", "212 555 0199"])("finds no message that lacks a part of %s", async (search) => {
      expect((await list(admin, { search })).rows).toEqual([]);
    });
  });

  it("finds a data rights request and a member by a name without its accents", async () => {
    await receiveRequest(backend, { name: "Jürgen Müller" });
    await join(backend, { submission: { name: "Nguyễn Thị Hồng" } });
    const { rows } = await list(admin, { search: "muller JURGEN" }, "read_requests");
    expect(rows).toMatchObject([{ name: "Jürgen Müller" }]);
    const find = (search: string) => admin.call("list_network_members", { search, state: "confirmed" });
    const members = [{ name: "Nguyễn Thị Hồng" }];
    expect(await find("hong nguyen")).toMatchObject({ members, total: 1, counts: { asked: 0, confirmed: 1 } });
    expect(await find("hong muller")).toMatchObject({ members: [], total: 0, counts: { confirmed: 0 } });
  });
});
