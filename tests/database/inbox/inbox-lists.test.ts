import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import {
  countSubmissions,
  dropCursorTimes,
  fillInbox,
  idsOf,
  list,
  type Page,
  readIdsInOrder,
} from "../support/inbox.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("inbox lists", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });
  beforeEach(async () => {
    await backend.sql("delete from public.contact_submissions returning 1 as ok");
  });

  it("pages by 25 to the end and back, each message once", async () => {
    await fillInbox(backend, 83);
    const ids = await readIdsInOrder(backend);
    const pages = [await list(admin)];
    while (pages.at(-1)!.next) pages.push(await list(admin, { page_cursor: pages.at(-1)!.next }));
    expect(pages.map(({ rows }) => rows.length)).toEqual([25, 25, 25, 8]);
    expect(pages.flatMap(idsOf)).toEqual(ids);
    expect(pages[0]!.previous).toBeNull();

    const back = [pages.at(-1)!];
    while (back.at(-1)!.previous) back.push(await list(admin, { page_cursor: back.at(-1)!.previous }));
    expect(back.map(idsOf)).toEqual(pages.map(idsOf).toReversed());
    expect(dropCursorTimes(back.at(-1)!)).toEqual(dropCursorTimes(pages[0]!));
  });

  it("neither repeats nor skips messages when others arrive or go between pages", async () => {
    await fillInbox(backend, 60);
    const ids = await readIdsInOrder(backend);
    const first = await list(admin);
    await backend.sql(
      `insert into public.contact_submissions (name, email, company, stage, goal, message, created_at)
       values ('New', 'a@example.com', 'E', 'G', 'S', 'M', now() + interval '1 hour') returning 1 as ok`,
    );
    await backend.sql("delete from public.contact_submissions where id = $1 returning 1 as ok", [ids[24]]);
    const second = await list(admin, { page_cursor: first.next });
    expect(idsOf(second)).toEqual(ids.slice(25, 50));
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

  it("puts each message in one folder, and counts the folders", async () => {
    await fillInbox(backend, 60, {
      state: "(array['new', 'in_progress', 'done', 'spam'])[n % 4 + 1]",
      quarantine_reason: "case when n % 10 = 0 then 'honeypot' end",
    });
    expect(await countSubmissions(admin)).toEqual({
      waiting: 27,
      late: 0,
      all: 39,
      new: 12,
      in_progress: 15,
      done: 12,
      spam: 15,
      quarantined: 6,
    });
    const states = ["new", "in_progress", "done", "spam"];
    for (const folder of [...states, "quarantined", "all"]) {
      const where =
        folder === "all"
          ? "quarantine_reason is null and state <> 'spam'"
          : folder === "quarantined"
            ? "quarantine_reason is not null"
            : `state = '${folder}' and quarantine_reason is null`;
      const first = await list(admin, { folder });
      const rest = first.next
        ? await list(admin, { folder, page_cursor: first.next })
        : { rows: [], next: null, previous: null };
      const ids = [...idsOf(first), ...idsOf(rest)];
      expect([folder, ids]).toEqual([folder, (await readIdsInOrder(backend, where)).slice(0, 50)]);
    }
  });

  it("lists the newest first and counts the late ones, on pages in both directions", async () => {
    await fillInbox(backend, 60, {
      state: "(array['new', 'in_progress', 'done', 'spam'])[n % 4 + 1]",
      quarantine_reason: "case when n % 10 = 0 then 'honeypot' end",
      answer_due_at: "now() + ((n * 7) % 60 - 5) * interval '1 hour'",
    });
    const waiting = await backend.sql<{ id: string }>(
      `select id from public.contact_submissions where state in ('new', 'in_progress') and quarantine_reason is null
       order by created_at desc, id desc`,
    );
    const first = await list(admin, { folder: "waiting" });
    const second = await list(admin, { folder: "waiting", page_cursor: first.next });
    expect([...idsOf(first), ...idsOf(second)]).toEqual(waiting.map(({ id }) => id));
    const back = await list(admin, { folder: "waiting", page_cursor: second.previous });
    expect(dropCursorTimes(back)).toEqual(dropCursorTimes(first));
    const counts = await countSubmissions(admin);
    const [{ late } = { late: -1 }] = await backend.sql<{ late: number }>(
      `select count(*)::int as late from public.contact_submissions
       where state in ('new', 'in_progress') and quarantine_reason is null and answer_due_at < now()`,
    );
    expect(counts).toMatchObject({ waiting: 27, late });
    expect(late).toBeGreaterThan(0);
  });

  it("returns a page and everything else that the inbox shows in one call", async () => {
    await fillInbox(backend, 30);
    const { data } = await admin.rpc("read_inbox", { folder: "new" }).throwOnError();
    const { page, ...around } = data as { page: Page };
    expect({ page: dropCursorTimes(page), ...around }).toEqual({
      page: { rows: expect.any(Array), previous: null, next: expect.stringMatching(/^next\./) },
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
    await backend.sql("select public.keep_retention('test') as ok");
    const { retention } = (await admin.rpc("read_inbox").throwOnError()).data as { retention: unknown };
    expect(retention).toMatchObject({ source: "test", counts: {} });
  });

  it("returns every stored field of a message, with the time in microseconds", async () => {
    await fillInbox(backend, 1);
    const { rows } = await list(admin);
    expect(Object.keys(rows[0]!).toSorted()).toEqual(
      (
        "answer_due_at answered_at company consent_policy_version consent_text_hash consented_at created_at email goal id " +
        "ip_address marked_by_link_at member_id message name quarantine_reason refusal stage state undelivered_at version"
      ).split(" "),
    );
    expect(rows[0]!.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}\+00:00$/);
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
      for (const parameters of wrong) {
        const { error } = await admin.rpc(name, parameters);
        expect([JSON.stringify(parameters), error?.code]).toEqual([JSON.stringify(parameters), "22023"]);
      }
      for (const edge of ["99999999999999999", "-99999999999999999", "0"]) {
        const { error } = await admin.rpc(name, { page_cursor: `next.${edge}.${id}` });
        expect([edge, error?.code]).toEqual([edge, undefined]);
      }
    },
  );

  it("exports filtered messages a thousand at a time and logs the export once", async () => {
    const exports = "select id from public.admin_events where action = 'submissions-exported'";
    const before = (await backend.sql(exports)).length;
    await fillInbox(backend, 2100, { state: "case when n > 50 then 'done' else 'new' end" });
    const first = await list(admin, { folder: "done" }, "export_submissions");
    const second = await list(admin, { folder: "done", page_cursor: first.next }, "export_submissions");
    const third = await list(admin, { folder: "done", page_cursor: second.next }, "export_submissions");
    const pages = [first, second, third];
    expect(pages.map(({ rows }) => rows.length)).toEqual([1000, 1000, 50]);
    expect(pages.flatMap(idsOf)).toEqual(await readIdsInOrder(backend, "state = 'done'"));
    expect(third.next).toBeNull();
    expect(await backend.sql(exports)).toHaveLength(before + 1);
  });
});
