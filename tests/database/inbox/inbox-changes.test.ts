import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receiveMessage } from "../support/examples.ts";
import { fillInbox, idsOf, list, readIdsInOrder, readMessageActions, replyMail, sendReply } from "../support/inbox.ts";
import { countRows, readRow, setRows } from "../support/retention.ts";

const states = ["new", "in_progress", "done", "spam", "quarantined", "restricted"] as const;
type State = (typeof states)[number];

/** An admin's verbs, their arguments, and the states of a message in which they succeed. */
const verbs: [name: string, parameters: () => Record<string, unknown>, succeedsIn: State[]][] = [
  ["set_submission_state", () => ({ state: "done" }), ["new", "in_progress", "done", "spam"]],
  ["restore_submission", () => ({}), ["quarantined"]],
  // The changes from new to these states; the others had none.
  ["undo_submission_change", () => ({}), ["in_progress", "done", "spam"]],
  ["delete_submission", () => ({}), ["new", "in_progress", "done", "spam", "quarantined"]],
  ["send_reply", () => ({ reply_id: randomUUID(), reply: "We can.", mail: replyMail }), ["new", "in_progress", "done"]],
  ["save_reply_draft", () => ({ draft: "We c" }), ["new", "in_progress", "done"]],
];

const messages = "public.contact_submissions";

eachBackend("an admin's changes to messages", (backend) => {
  const admin = useAdmin(backend);

  beforeEach(() => backend.sql("delete from public.contact_submissions returning 1"));

  const newMessage = (quarantineReason?: string) => receiveMessage(backend, { quarantineReason });
  const setState = (submission_id: string, state: unknown) =>
    admin.call("set_submission_state", { submission_id, state });
  const undo = (submission_id: string, seen?: number) => admin.call("undo_submission_change", { submission_id }, seen);
  const find = (id: string) => readRow(backend, messages, id);
  const readLog = (id: string) => readMessageActions(backend, id);

  async function newMessageIn(state: State): Promise<string> {
    const id = await newMessage(state === "quarantined" ? "honeypot" : undefined);
    if (state === "restricted") await setRows(backend, messages, id, "frozen_at = now()");
    else if (state !== "new" && state !== "quarantined") await setState(id, state);
    return id;
  }

  it.each(verbs)(
    "%s succeeds in its states, and changes nothing in all others",
    async (name, parameters, succeedsIn) => {
      for (const state of states) {
        const submission_id = await newMessageIn(state);
        const before = [await find(submission_id), await readLog(submission_id)];
        const { error } = await admin.rpc(name, { submission_id, ...parameters() });
        const isAllowed = succeedsIn.includes(state);
        expect([state, error?.code]).toEqual([state, isAllowed ? undefined : "55000"]);
        const after = [await find(submission_id), await readLog(submission_id)];
        expect(isAllowed ? null : after).toEqual(isAllowed ? null : before);
      }
      const unknown = { submission_id: randomUUID(), ...parameters() };
      expect(await admin.call(name, unknown)).toBe("P0002");
      expect(await readLog(unknown.submission_id)).toEqual([]);
    },
  );

  it("sets any state and logs each change permanently", async () => {
    const id = await newMessage();
    const made = ["new", "in_progress", "done", "spam", "new"];
    for (const state of made) {
      await setState(id, state);
      expect(await find(id)).toMatchObject({ state, quarantine_reason: null });
    }
    expect(await readLog(id)).toEqual(made.map((state) => `submission-${state}`));
    const byAdmin = `actor = '${admin.id}' and submission_id`;
    expect(await countRows(backend, "public.admin_events", id, byAdmin)).toBe(made.length);
    const where = "where submission_id = $1 returning 1 as ok";
    for (const change of ["update public.admin_events set action = 'x'", "delete from public.admin_events"])
      await expect(backend.sql(`${change} ${where}`, [id])).rejects.toThrow(/admin_events is only ever added to/);
    for (const state of ["quarantined", "", "New", null]) expect(await setState(id, state)).toBe("22023");
    expect(await find(id)).toMatchObject({ state: "new", quarantine_reason: null });
  });

  it("deletes a message with its dependent rows and logs only actor, time and id", async () => {
    const [id, other] = [await newMessage(), await newMessage()];
    const tables = ["contact_receipts", "email_outbox", "submission_search", "message_replies", "reply_drafts"];
    const count = (submission: string) =>
      Promise.all(tables.map((table) => countRows(backend, `private.${table}`, submission, "submission_id")));
    for (const submission_id of [id, other]) {
      await sendReply(admin, submission_id);
      await admin.call("save_reply_draft", { submission_id, draft: "We c" });
    }
    expect(await count(id)).toEqual([1, 3, 1, 1, 1]);
    await admin.call("delete_submission", { submission_id: id });
    expect([await find(id), await count(id), await count(other)]).toEqual([
      undefined,
      [0, 0, 0, 0, 0],
      [1, 3, 1, 1, 1],
    ]);
    expect(
      await readRow(backend, "public.admin_events", id, "action = 'submission-deleted' and submission_id"),
    ).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      actor: admin.id,
      action: "submission-deleted",
      submission_id: id,
      replaced: null,
      person: null,
      people_count: null,
    });
  });

  it.each(["done", "spam", "in_progress"])("restores everything that a change to %s replaced", async (state) => {
    const id = await newMessage();
    const replaced = `state = 'done', answered_at = now() - interval '2 days', answer_notice = 'late',
      marked_by_link_at = now() - interval '1 day'`;
    await setRows(backend, messages, id, replaced);
    const before = await find(id);
    await setState(id, state);
    expect(await undo(id)).toBeNull();
    expect(await find(id)).toEqual({ ...before, version: expect.any(Number) });
    expect(await readLog(id)).toEqual([`submission-${state}`, "submission-undone"]);
  });

  it("restores a message from quarantine as new, without a mail, and takes it back", async () => {
    const id = await newMessage("honeypot");
    const before = await find(id);
    await admin.call("restore_submission", { submission_id: id });
    expect(await find(id)).toMatchObject({ state: "new", quarantine_reason: null });
    expect(await readLog(id)).toEqual(["submission-restored"]);
    expect(await countRows(backend, "private.email_outbox", id, "submission_id")).toBe(0);
    expect(await undo(id)).toBeNull();
    expect(await find(id)).toEqual({ ...before, version: expect.any(Number) });
  });

  it("undoes a change once, for an admin who saw the current version", async () => {
    const id = await newMessage();
    await setState(id, "done");
    expect(await undo(id, 0)).toBe("PT409");
    // Twice, as a double click does.
    for (let click = 0; click < 2; click++) expect(await undo(id, 1)).toBeNull();
    expect(await undo(id, 2)).toBe("55000");
    expect(await find(id)).toMatchObject({ state: "new" });
  });

  it("deletes the spam of a page, and keeps all that is not spam any more", async () => {
    const [kept, ...spam] = [await newMessage(), await newMessage(), await newMessage()];
    for (const id of spam) await setState(id, "spam");
    expect(await admin.call("delete_spam", { submission_ids: [kept, ...spam] })).toBe(2);
    expect(await readIdsInOrder(backend)).toEqual([kept]);
    for (const id of spam) expect((await readLog(id)).at(-1)).toBe("submission-deleted");
    expect(await admin.call("delete_spam", { submission_ids: [] })).toBe("22023");
  });

  const neighbors = (submission_id: string | undefined, folder = "waiting", search: string | null = null) =>
    admin.call("find_neighbors", { submission_id, folder, search });

  it("keeps the position of a message that has left the list, and finds none for an unknown one", async () => {
    await fillInbox(backend, 3);
    const [before, id, after] = await readIdsInOrder(backend);
    await setState(id!, "done");
    const place = { is_listed: false, count: 2, previous: { id: before }, next: { id: after } };
    expect(await neighbors(id)).toMatchObject(place);
    expect(await neighbors(id, "done")).toMatchObject({ is_listed: true, count: 1, previous: null, next: null });
    expect(await neighbors(randomUUID())).toBeNull();
  });

  it("follows a search from message to message, and knows the page after one", async () => {
    await fillInbox(backend, 4, { message: "case when n in (2, 4) then 'Needle' else 'Hay' end" });
    const [first, next] = idsOf(await list(admin, { folder: "all", search: "needle" }));
    const found = await neighbors(first, "all", "Needle");
    expect(found).toMatchObject({ is_listed: true, count: null, previous: null, next: { id: next } });
    const page = await list(admin, { folder: "all", page_cursor: found.cursor });
    const ids = await readIdsInOrder(backend);
    expect(idsOf(page)).toEqual(ids.slice(ids.indexOf(first!) + 1));
  });
});
