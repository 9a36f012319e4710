import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { fillInbox, idsOf, list, type Page } from "../support/inbox.ts";
import { signInAdmin } from "../support/test-backend.ts";

const folders = ["waiting", "late", "all", "new", "in_progress", "done", "spam", "quarantined"] as const;

eachBackend("order of a folder", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });
  beforeEach(async () => {
    await backend.sql("delete from public.contact_submissions returning 1 as ok");
    // Late and timely messages in every state and folder, some with undelivered replies; about a hundred wait.
    await fillInbox(backend, 200, {
      state: "(array['new', 'in_progress', 'done', 'spam'])[n % 4 + 1]",
      quarantine_reason: "case when n % 20 = 0 then 'honeypot' end",
      message: "case when n % 3 = 0 then 'Wanted' else 'Other' end",
      answer_due_at: "now() + ((n * 7) % 60 - 30) * interval '1 hour'",
      answered_at: "case when n % 4 = 2 then now() - interval '1 hour' end",
      undelivered_at: "case when n % 4 = 1 and n % 9 < 3 then now() - n * interval '1 minute' end",
    });
  });

  /** Returns all ids of a folder in the expected order. */
  async function findInOrder(folder: (typeof folders)[number], where = "true"): Promise<string[]> {
    const isIn =
      folder === "quarantined"
        ? "quarantine_reason is not null"
        : `quarantine_reason is null and ${
            folder === "all"
              ? "state <> 'spam'"
              : folder === "waiting"
                ? "state in ('new', 'in_progress')"
                : folder === "late"
                  ? "state in ('new', 'in_progress') and answer_due_at < now()"
                  : `state = '${folder}'`
          }`;
    const rows = await backend.sql<{ id: string }>(
      `select id from public.contact_submissions where ${isIn} and ${where}
       order by undelivered_at is null, created_at desc, id desc`,
    );
    return rows.map(({ id }) => id);
  }

  async function readAllPages(
    parameters: Record<string, unknown>,
    first?: Page,
    between?: (page: Page) => Promise<void>,
  ) {
    const pages = [first ?? (await list(admin, parameters))];
    while (pages.at(-1)!.next) {
      await between?.(pages.at(-1)!);
      pages.push(await list(admin, { ...parameters, page_cursor: pages.at(-1)!.next }));
    }
    return pages;
  }

  async function mark(some: (string | undefined)[], state: string) {
    for (const submission_id of some) await admin.rpc("set_submission_state", { submission_id, state }).throwOnError();
  }

  it.each(folders)("lists the folder %s in order, forward, back and searched", async (folder) => {
    const pages = await readAllPages({ folder });
    expect(pages.flatMap(idsOf)).toEqual(await findInOrder(folder));
    const back = [pages.at(-1)!];
    while (back.at(-1)!.previous) back.push(await list(admin, { folder, page_cursor: back.at(-1)!.previous }));
    expect(back.toReversed().flatMap(idsOf)).toEqual(pages.flatMap(idsOf));
    const found = await readAllPages({ folder, search: "wanted" });
    expect(found.flatMap(idsOf)).toEqual(await findInOrder(folder, "message = 'Wanted'"));
  });

  it("shows each message once although replies turn out to be undelivered between pages", async () => {
    const ids = await findInOrder("all");
    const pages = await readAllPages({ folder: "all" }, undefined, async ({ rows }) => {
      // One already shown, and one still to come.
      const shown = idsOf({ rows, previous: null, next: null });
      for (const id of [shown.at(-1), ids.at(-2)])
        await backend.sql(
          "update public.contact_submissions set undelivered_at = now() where id = $1 returning 1 as ok",
          [id],
        );
    });
    expect(pages.flatMap(idsOf)).toEqual(ids);
    const afresh = (await readAllPages({ folder: "all" })).flatMap(idsOf);
    expect(afresh).toEqual(await findInOrder("all"));
    expect(afresh).not.toEqual(ids);
  });

  it("omits only messages that have left the folder", async () => {
    const ids = await findInOrder("waiting");
    const [first] = [await list(admin, { folder: "waiting" })];
    const left = [ids[2]!, ids[30]!, ids[60]!];
    await mark(left, "spam");
    const pages = await readAllPages({ folder: "waiting" }, first);
    expect(pages.slice(1).flatMap(idsOf)).toEqual(ids.slice(25).filter((id) => !left.includes(id)));
  });

  it("accepts the cursors of earlier versions, which carry no time", async () => {
    const { next } = await list(admin, { folder: "done" });
    const former = next!.replace(/\.\d+$/, "");
    const rest = await list(admin, { folder: "done", page_cursor: former });
    expect(idsOf(rest)).toEqual((await findInOrder("done")).slice(25, 50));
  });
});
