import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { countRows } from "../support/retention.ts";

const states = ["new", "in_progress", "done", "spam", "quarantined", "restricted"] as const;
type State = (typeof states)[number];

const mail = { subject: "Re: Received", quotation: "You wrote:\n> Please call me." };

/** An admin's verbs, their arguments, and the states of a message in which they succeed. */
const verbs: [name: string, parameters: () => Record<string, unknown>, succeedsIn: State[]][] = [
  ["set_submission_state", () => ({ state: "done" }), ["new", "in_progress", "done", "spam"]],
  ["restore_submission", () => ({}), ["quarantined"]],
  // The changes from new to these states; the others had none.
  ["undo_submission_change", () => ({}), ["in_progress", "done", "spam"]],
  ["delete_submission", () => ({}), ["new", "in_progress", "done", "spam", "quarantined"]],
  ["send_reply", () => ({ reply_id: randomUUID(), reply: "We can.", mail }), ["new", "in_progress", "done"]],
  ["save_reply_draft", () => ({ draft: "We c" }), ["new", "in_progress", "done"]],
];

eachBackend("an admin's changes to a message", (backend) => {
  const admin = useAdmin(backend);

  const setState = (submission_id: string, state: unknown) =>
    admin.rpc("set_submission_state", { submission_id, state });

  async function newSubmission(quarantineReason?: string): Promise<string> {
    return (await receive(backend.service, { quarantineReason }).throwOnError()).data.submission_id;
  }

  async function newSubmissionIn(state: State): Promise<string> {
    const id = await newSubmission(state === "quarantined" ? "honeypot" : undefined);
    if (state === "restricted")
      await backend.sql("update public.contact_submissions set frozen_at = now() where id = $1 returning 1", [id]);
    else if (state !== "new" && state !== "quarantined") await setState(id, state).throwOnError();
    return id;
  }

  const find = (id: string) => backend.sql("select * from public.contact_submissions where id = $1", [id]);

  const readLog = (id: string) =>
    backend.sql<{ action: string }>(
      "select actor, action from public.admin_events where submission_id = $1 order by id",
      [id],
    );

  it.each(verbs)(
    "%s succeeds in its states, and changes nothing in all others",
    async (name, parameters, succeedsIn) => {
      for (const state of states) {
        const submission_id = await newSubmissionIn(state);
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

  it("sets any state and logs each change", async () => {
    const id = await newSubmission();
    const made = ["new", "in_progress", "done", "spam", "new"];
    for (const state of made) {
      await setState(id, state).throwOnError();
      expect(await find(id)).toMatchObject([{ state, quarantine_reason: null }]);
    }
    expect(await readLog(id)).toEqual(made.map((state) => ({ actor: admin.id, action: `submission-${state}` })));
    for (const state of ["quarantined", "", "New", null]) expect((await setState(id, state)).error?.code).toBe("22023");
    expect(await find(id)).toMatchObject([{ state: "new", quarantine_reason: null }]);
  });

  it("restores a message from quarantine as new, once, and sends no mail", async () => {
    const submission_id = await newSubmission("honeypot");
    const restore = () => admin.rpc("restore_submission", { submission_id });
    const results = await Promise.all([restore(), restore(), restore()]);
    expect(results.map(({ error }) => error?.code ?? "restored").toSorted()).toEqual(["55000", "55000", "restored"]);
    expect(await find(submission_id)).toMatchObject([{ state: "new", quarantine_reason: null }]);
    expect(await readLog(submission_id)).toEqual([{ actor: admin.id, action: "submission-restored" }]);
    expect(await countRows(backend, "private.email_outbox", submission_id, "submission_id")).toBe(0);
  });

  it("deletes a message with its dependent rows and logs only actor, time and id", async () => {
    const [id, other] = [await newSubmission(), await newSubmission()];
    const tables = ["contact_receipts", "email_outbox", "submission_search", "message_replies", "reply_drafts"];
    const count = (submission: string) =>
      Promise.all(tables.map((table) => countRows(backend, `private.${table}`, submission, "submission_id")));
    for (const submission_id of [id, other]) {
      await admin.rpc("send_reply", { submission_id, reply_id: randomUUID(), reply: "We can.", mail }).throwOnError();
      await admin.rpc("save_reply_draft", { submission_id, draft: "We c" }).throwOnError();
    }
    expect(await count(id)).toEqual([1, 3, 1, 1, 1]);
    await admin.rpc("delete_submission", { submission_id: id }).throwOnError();
    expect([await find(id), await count(id), await count(other)]).toEqual([[], [0, 0, 0, 0, 0], [1, 3, 1, 1, 1]]);
    const log = "select * from public.admin_events where submission_id = $1 order by id desc limit 1";
    expect(await backend.sql(log, [id])).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        actor: admin.id,
        action: "submission-deleted",
        submission_id: id,
        replaced: null,
        person: null,
        people_count: null,
      },
    ]);
  });

  it("keeps the log append-only", async () => {
    const id = await newSubmission();
    await setState(id, "done").throwOnError();
    const onlyAdded = /admin_events is only ever added to/;
    const where = "where submission_id = $1 returning 1 as ok";
    await expect(backend.sql(`update public.admin_events set action = 'x' ${where}`, [id])).rejects.toThrow(onlyAdded);
    await expect(backend.sql(`delete from public.admin_events ${where}`, [id])).rejects.toThrow(onlyAdded);
  });
});
