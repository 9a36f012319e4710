import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

const states = ["new", "in_progress", "done", "spam"] as const;

eachBackend("an admin's changes to a message", (backend) => {
  let person: Person;
  let admin: SupabaseClient;

  beforeAll(async () => {
    person = await signInAdmin(backend);
    admin = backend.client(person.token);
  });

  async function newSubmission(quarantineReason?: string): Promise<string> {
    return (await receive(backend.service, { quarantineReason })).data!.submission_id;
  }

  async function find(id: string) {
    const [row] = await backend.sql<{ state: string; quarantine_reason: string | null }>(
      "select state, quarantine_reason from public.contact_submissions where id = $1",
      [id],
    );
    return row;
  }

  const readLog = (id: string) =>
    backend.sql("select actor, action from public.admin_events where submission_id = $1 order by id", [id]);

  /** Counts the rows of a message in all tables. */
  async function count(submission: string) {
    const [row] = await backend.sql<{ n: number }>(
      `select ((select count(*) from public.contact_submissions where id = $1)
         + (select count(*) from private.contact_receipts where submission_id = $1)
         + (select count(*) from private.email_outbox where submission_id = $1)
         + (select count(*) from private.submission_search where submission_id = $1))::int as n`,
      [submission],
    );
    return row!.n;
  }

  it("sets any state and logs each change", async () => {
    const id = await newSubmission();
    for (const state of [...states, "new"]) {
      await admin.rpc("set_submission_state", { submission_id: id, state }).throwOnError();
      expect(await find(id)).toEqual({ state, quarantine_reason: null });
    }
    const actions = [
      "submission-new",
      "submission-in_progress",
      "submission-done",
      "submission-spam",
      "submission-new",
    ];
    expect(await readLog(id)).toEqual(actions.map((action) => ({ actor: person.id, action })));
    for (const state of ["quarantined", "", "New", null]) {
      expect((await admin.rpc("set_submission_state", { submission_id: id, state })).error?.code).toBe("22023");
    }
    expect(await find(id)).toEqual({ state: "new", quarantine_reason: null });
  });

  it("restores a message from quarantine as new, once, and sends no mail", async () => {
    const id = await newSubmission("honeypot");
    const mark = { submission_id: id, state: "done" };
    expect((await admin.rpc("set_submission_state", mark)).error?.code).toBe("55000");
    const restore = () => admin.rpc("restore_submission", { submission_id: id });
    const results = await Promise.all([restore(), restore(), restore()]);
    expect(results.map(({ error }) => error?.code ?? "restored").toSorted()).toEqual(["55000", "55000", "restored"]);
    expect(await find(id)).toEqual({ state: "new", quarantine_reason: null });
    expect(await readLog(id)).toEqual([{ actor: person.id, action: "submission-restored" }]);
    const mails = "select 1 as found from private.email_outbox where submission_id = $1";
    expect(await backend.sql(mails, [id])).toEqual([]);
    expect((await admin.rpc("set_submission_state", mark)).error).toBeNull();
  });

  it("deletes a message with its dependent rows and logs only actor, time and id", async () => {
    const id = await newSubmission();
    const other = await newSubmission();
    expect(await count(id)).toBe(5);
    await admin.rpc("delete_submission", { submission_id: id }).throwOnError();
    expect([await count(id), await count(other)]).toEqual([0, 5]);
    expect(await backend.sql("select * from public.admin_events where submission_id = $1", [id])).toEqual([
      {
        id: expect.any(Number),
        at: expect.any(String),
        actor: person.id,
        action: "submission-deleted",
        submission_id: id,
        replaced: null,
        person: null,
        people_count: null,
      },
    ]);
    expect((await admin.rpc("delete_submission", { submission_id: id })).error?.code).toBe("P0002");
  });

  it("rejects changes while the message is restricted", async () => {
    const id = await newSubmission();
    const freeze = "update public.contact_submissions set frozen_at = now() where id = $1 returning 1 as ok";
    await backend.sql(freeze, [id]);
    const calls: [string, Record<string, unknown>][] = [
      ["set_submission_state", { submission_id: id, state: "done" }],
      ["restore_submission", { submission_id: id }],
      ["delete_submission", { submission_id: id }],
    ];
    for (const [name, parameters] of calls) {
      expect([name, (await admin.rpc(name, parameters)).error?.code]).toEqual([name, "55000"]);
    }
    expect(await find(id)).toEqual({ state: "new", quarantine_reason: null });
    expect(await readLog(id)).toEqual([]);
  });

  it("rejects changes of a message that does not exist", async () => {
    const submission_id = randomUUID();
    const calls: [string, Record<string, unknown>][] = [
      ["set_submission_state", { submission_id, state: "done" }],
      ["restore_submission", { submission_id }],
      ["delete_submission", { submission_id }],
    ];
    for (const [name, parameters] of calls) expect((await admin.rpc(name, parameters)).error?.code).toBe("P0002");
    expect((await admin.rpc("restore_submission", { submission_id: await newSubmission() })).error?.code).toBe("55000");
    expect(await readLog(submission_id)).toEqual([]);
  });

  it("keeps the log append-only", async () => {
    const id = await newSubmission();
    await admin.rpc("set_submission_state", { submission_id: id, state: "done" }).throwOnError();
    const onlyAdded = /admin_events is only ever added to/;
    const where = "where submission_id = $1 returning 1 as ok";
    await expect(backend.sql(`update public.admin_events set action = 'x' ${where}`, [id])).rejects.toThrow(onlyAdded);
    await expect(backend.sql(`delete from public.admin_events ${where}`, [id])).rejects.toThrow(onlyAdded);
  });
});
