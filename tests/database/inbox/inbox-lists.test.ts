import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receiveRequest } from "../support/data-rights.ts";
import { receiveMessage } from "../support/examples.ts";
import { countSubmissions, dropCursorTimes, fillInbox, idsOf, list } from "../support/inbox.ts";
import { readAllPages, readIdsInOrder } from "../support/inbox.ts";
import { join } from "../support/network.ts";
import { keepRetention, setRows } from "../support/retention.ts";

/** SQL conditions for the messages in each folder. */
const waiting = "state in ('new', 'in_progress') and quarantine_reason is null";
const folders = {
  waiting,
  late: `${waiting} and answer_due_at < now()`,
  all: "state <> 'spam' and quarantine_reason is null",
  new: "state = 'new' and quarantine_reason is null",
  in_progress: "state = 'in_progress' and quarantine_reason is null",
  done: "state = 'done' and quarantine_reason is null",
  spam: "state = 'spam' and quarantine_reason is null",
  quarantined: "quarantine_reason is not null",
};
type Folder = keyof typeof folders;

eachBackend("inbox lists", (backend) => {
  const admin = useAdmin(backend);

  beforeEach(() => backend.sql("delete from public.contact_submissions returning 1 as ok"));

  /** Stores late and timely messages in every state and folder, some with undelivered replies; about a hundred wait. */
  const fillFolders = () =>
    fillInbox(backend, 200, {
      state: "(array['new', 'in_progress', 'done', 'spam'])[n % 4 + 1]",
      quarantine_reason: "case when n % 20 = 0 then 'honeypot' end",
      message: "case when n % 3 = 0 then 'Wanted' else 'Other' end",
      answer_due_at: "now() + ((n * 7) % 60 - 30) * interval '1 hour'",
      answered_at: "case when n % 4 = 2 then now() - interval '1 hour' end",
      undelivered_at: "case when n % 4 = 1 and n % 9 < 3 then now() - n * interval '1 minute' end",
    });

  /** Returns the ids in a folder in the expected order: those with undelivered replies first, then the newest. */
  async function findInOrder(folder: Folder, where = "true"): Promise<string[]> {
    const rows = await backend.sql<{ id: string }>(
      `select id from public.contact_submissions where ${folders[folder]} and ${where}
       order by undelivered_at is null, created_at desc, id desc`,
    );
    return rows.map(({ id }) => id);
  }

  it.each(Object.keys(folders) as Folder[])(
    "lists the folder %s in order, forward, back, searched and from message to message",
    async (folder) => {
      await fillFolders();
      const pages = await readAllPages(admin, { folder });
      const ids = await findInOrder(folder);
      expect(pages.flatMap(idsOf)).toEqual(ids);
      expect(pages.map(({ rows }) => rows.length)).toEqual(pages.map((_, at) => Math.min(25, ids.length - at * 25)));
      expect(pages[0]!.previous).toBeNull();
      const back = [pages.at(-1)!];
      while (back.at(-1)!.previous) back.push(await list(admin, { folder, page_cursor: back.at(-1)!.previous }));
      expect(back.toReversed().map(dropCursorTimes)).toEqual(pages.map(dropCursorTimes));
      const found = await readAllPages(admin, { folder, search: "wanted" });
      expect(found.flatMap(idsOf)).toEqual(await findInOrder(folder, "message = 'Wanted'"));
      expect((await countSubmissions(admin))[folder]).toBe(ids.length);
      for (const at of [0, 1, ids.length - 1]) {
        const { previous, count, next } = await admin.call("find_neighbors", { submission_id: ids[at], folder });
        expect([previous?.id, count, next?.id]).toEqual([ids[at - 1], ids.length, ids[at + 1]]);
      }
    },
  );

  it("shows each message once although replies turn out to be undelivered between pages", async () => {
    await fillFolders();
    const ids = await findInOrder("all");
    const pages = await readAllPages(admin, { folder: "all" }, "read_inbox", async (first) => {
      // One already shown, and one still to come.
      for (const id of [idsOf(first).at(-1), ids.at(-2)])
        await setRows(backend, "public.contact_submissions", id!, "undelivered_at = now()");
    });
    expect(pages.flatMap(idsOf)).toEqual(ids);
    const afresh = (await readAllPages(admin, { folder: "all" })).flatMap(idsOf);
    expect(afresh).toEqual(await findInOrder("all"));
    expect(afresh).not.toEqual(ids);
  });

  it("neither repeats nor skips messages when others arrive or go between pages", async () => {
    await fillInbox(backend, 60);
    const ids = await readIdsInOrder(backend);
    const first = await list(admin);
    await receiveMessage(backend, { submission: { name: "New" } });
    await backend.sql("delete from public.contact_submissions where id = $1 returning 1 as ok", [ids[24]]);
    const second = await list(admin, { page_cursor: first.next });
    expect(idsOf(second)).toEqual(ids.slice(25, 50));
    // Cursors of earlier versions carry no time.
    const former = first.next!.replace(/\.\d+$/, "");
    expect(idsOf(await list(admin, { page_cursor: former }))).toEqual(ids.slice(25, 50));
    // New messages are at the top, and the first page is full again.
    const back = await list(admin, { page_cursor: second.previous });
    expect(idsOf(back)).toEqual((await readIdsInOrder(backend)).slice(0, 25));
    expect([back.previous, back.rows[0]!.name]).toEqual([null, "New"]);
  });

  it("returns the first page when the requested one no longer exists", async () => {
    await fillInbox(backend, 26);
    const { next } = await list(admin);
    const ids = await readIdsInOrder(backend);
    await backend.sql("delete from public.contact_submissions where id = $1 returning 1 as ok", [ids[25]]);
    expect(idsOf(await list(admin, { page_cursor: next }))).toEqual(ids.slice(0, 25));
    await backend.sql("delete from public.contact_submissions returning 1 as ok");
    expect(await list(admin, { page_cursor: next })).toEqual({ rows: [], previous: null, next: null });
  });

  it("returns a page and everything else that the inbox shows in one call", async () => {
    await fillInbox(backend, 30);
    const { page, ...around } = await admin.call("read_inbox", { folder: "new" });
    expect(page).toEqual({ rows: expect.any(Array), previous: null, next: expect.stringMatching(/^next\./) });
    expect(around).toEqual({
      counts: { waiting: 30, late: 0, all: 30, new: 30, in_progress: 0, done: 0, spam: 0, quarantined: 0 },
      mail: { waiting: 0, given_up: 0, oldest_waiting: null },
      retention: null,
      retention_waits: false,
      since: expect.stringMatching(/^20\d\d-.*T/),
      overdue_requests: 0,
      troubles: [],
      marked_by_link: [],
    });
    expect(idsOf(page)).toEqual((await readIdsInOrder(backend)).slice(0, 25));
    // Those named 1, 2, and 10 to 29.
    await backend.sql("update public.contact_submissions set answer_due_at = now() where name < '3' returning 1 as ok");
    await keepRetention(backend);
    const { retention, counts } = await admin.call("read_inbox");
    expect(retention).toMatchObject({ source: "server", counts: {} });
    expect(counts).toMatchObject({ waiting: 30, late: 22 });
  });

  it.each(["export_submissions", "read_inbox", "read_requests"])(
    "rejects unknown folders and malformed cursors in %s",
    async (name) => {
      const id = randomUUID();
      const wrong = [
        { folder: "trash" },
        { folder: "New" },
        { folder: null },
        { page_cursor: "" },
        { page_cursor: "next" },
        { page_cursor: `next.1.${id}.x` },
        { page_cursor: `sideways.1.${id}` },
        { page_cursor: `next.1e9.${id}` },
        { page_cursor: `next.${"9".repeat(30)}.${id}` },
        { page_cursor: `next.1.${"-".repeat(36)}` },
        { page_cursor: `next.1.${id.toUpperCase()}'` },
      ];
      for (const parameters of wrong)
        expect([parameters, await admin.call(name, parameters)]).toEqual([parameters, "22023"]);
      for (const edge of ["99999999999999999", "-99999999999999999", "0"])
        expect([edge, (await admin.rpc(name, { page_cursor: `next.${edge}.${id}` })).error]).toEqual([edge, null]);
    },
  );

  it("exports filtered messages a thousand at a time and logs the export once", async () => {
    const exports = "select id from public.admin_events where action = 'submissions-exported'";
    const before = (await backend.sql(exports)).length;
    await fillInbox(backend, 2100, { state: "case when n > 50 then 'done' else 'new' end" });
    const pages = await readAllPages(admin, { folder: "done" }, "export_submissions");
    expect(pages.map(({ rows }) => rows.length)).toEqual([1000, 1000, 50]);
    expect(pages.flatMap(idsOf)).toEqual(await readIdsInOrder(backend, "state = 'done'"));
    expect(await backend.sql(exports)).toHaveLength(before + 1);
  });

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
