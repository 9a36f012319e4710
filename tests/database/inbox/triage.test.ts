import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { fillInbox, idsOf, list, readIdsInOrder } from "../support/inbox.ts";
import { setRows } from "../support/retention.ts";

interface Neighbors {
  is_listed: boolean;
  count: number | null;
  previous: { id: string; name: string } | null;
  next: { id: string; name: string } | null;
  cursor: string;
}

const messages = "public.contact_submissions";

eachBackend("triage", (backend) => {
  const admin = useAdmin(backend);

  beforeEach(() => backend.sql("delete from public.contact_submissions returning 1"));

  const read = async (id: string) => {
    const [row] = await backend.sql<Record<string, unknown>>(
      `select state, quarantine_reason, answered_at::text, answer_notice, marked_by_link_at::text
       from public.contact_submissions where id = $1`,
      [id],
    );
    return row;
  };
  const readLog = (id: string) =>
    backend.sql("select action from public.admin_events where submission_id = $1 order by id", [id]);
  const newMessage = async (quarantineReason?: string) =>
    (await receive(backend.service, { quarantineReason }).throwOnError()).data.submission_id;
  const mark = (id: string, state: string) =>
    admin.rpc("set_submission_state", { submission_id: id, state }).throwOnError();
  const undo = (id: string, seen?: number) => {
    const call = admin.rpc("undo_submission_change", { submission_id: id });
    return seen === undefined ? call : call.setHeader("x-seen-version", String(seen));
  };
  const neighbors = async (id: string, folder = "waiting", search: string | null = null) =>
    (await admin.rpc("find_neighbors", { submission_id: id, folder, search }).throwOnError()).data as Neighbors | null;

  it.each(["done", "spam", "in_progress"])("restores everything that a change to %s replaced", async (state) => {
    const id = await newMessage();
    await setRows(
      backend,
      messages,
      id,
      `state = 'done', answered_at = now() - interval '2 days',
       answer_notice = 'late', marked_by_link_at = now() - interval '1 day'`,
    );
    const before = await read(id);
    await mark(id, state);
    await undo(id).throwOnError();
    expect(await read(id)).toEqual(before);
    expect(await readLog(id)).toEqual([{ action: `submission-${state}` }, { action: "submission-undone" }]);
  });

  it("takes a restored message back into quarantine", async () => {
    const id = await newMessage("honeypot");
    const before = await read(id);
    await admin.rpc("restore_submission", { submission_id: id }).throwOnError();
    await undo(id).throwOnError();
    expect(await read(id)).toEqual(before);
  });

  it("undoes a change once, for an admin who saw the current version", async () => {
    const id = await newMessage();
    await mark(id, "done");
    expect((await undo(id, 0)).error?.code).toBe("PT409");
    // Twice, as a double click does.
    for (let click = 0; click < 2; click++) expect((await undo(id, 1)).error).toBeNull();
    expect((await undo(id, 2)).error?.code).toBe("55000");
    expect(await read(id)).toMatchObject({ state: "new" });
  });

  it("finds the messages before and after one, across pages, with the count of the list", async () => {
    await fillInbox(backend, 30);
    const ids = await readIdsInOrder(backend);
    const first = await neighbors(ids[0]!);
    expect(first).toMatchObject({ is_listed: true, count: 30, previous: null, next: { id: ids[1] } });
    expect(await neighbors(ids[25]!)).toMatchObject({ previous: { id: ids[24] }, next: { id: ids[26] } });
    expect(await neighbors(ids[29]!)).toMatchObject({ previous: { id: ids[28] }, next: null });
    const page = await list(admin, { folder: "waiting", page_cursor: first!.cursor });
    expect(idsOf(page)[0]).toBe(ids[1]);
  });

  it("keeps the position of a message that has left the list, and finds none for an unknown one", async () => {
    await fillInbox(backend, 3);
    const ids = await readIdsInOrder(backend);
    await mark(ids[1]!, "done");
    expect(await neighbors(ids[1]!)).toMatchObject({
      is_listed: false,
      count: 2,
      previous: { id: ids[0] },
      next: { id: ids[2] },
    });
    expect(await neighbors(ids[1]!, "done")).toMatchObject({ is_listed: true, count: 1, previous: null, next: null });
    expect(await neighbors(randomUUID())).toBeNull();
  });

  it("puts undelivered replies first, and follows a search", async () => {
    await fillInbox(backend, 4, { message: "case when n in (2, 4) then 'Needle' else 'Hay' end" });
    const ids = await readIdsInOrder(backend);
    await setRows(backend, messages, ids[3]!, "undelivered_at = now()");
    expect(await neighbors(ids[3]!)).toMatchObject({ previous: null, next: { id: ids[0] } });
    expect(await neighbors(ids[0]!)).toMatchObject({ previous: { id: ids[3] }, next: { id: ids[1] } });
    await mark(ids[3]!, "done");
    expect(await neighbors(ids[3]!)).toMatchObject({ is_listed: false, previous: { id: ids[2] }, next: null });
    expect(await neighbors(ids[3]!, "all")).toMatchObject({ is_listed: true, previous: { id: ids[2] }, next: null });
    const found = idsOf(await list(admin, { folder: "all", search: "needle" }));
    expect(await neighbors(found[0]!, "all", "Needle")).toMatchObject({
      is_listed: true,
      count: null,
      previous: null,
      next: { id: found[1] },
    });
  });

  it("deletes the spam of a page, and keeps all that is not spam any more", async () => {
    const [kept, ...spam] = [await newMessage(), await newMessage(), await newMessage()];
    for (const id of spam) await mark(id, "spam");
    const { data } = await admin.rpc("delete_spam", { submission_ids: [kept, ...spam] }).throwOnError();
    expect(data).toBe(2);
    expect(await readIdsInOrder(backend)).toEqual([kept]);
    for (const id of spam) expect((await readLog(id)).at(-1)).toEqual({ action: "submission-deleted" });
    expect(await admin.call("delete_spam", { submission_ids: [] })).toBe("22023");
  });
});
