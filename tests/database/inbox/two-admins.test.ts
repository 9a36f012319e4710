import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, receiveConfirmed, sampleMail, takeStep } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

const mail = { subject: "Re: Received", quotation: "You wrote:\n> Please call me." };

/** Calls a function as a page that showed version `seen` does. */
function call(admin: SupabaseClient, name: string, parameters: Record<string, unknown>, seen?: number) {
  const made = admin.rpc(name, parameters);
  return seen === undefined ? made : made.setHeader("x-seen-version", String(seen));
}

const send = (admin: SupabaseClient, id: string, seen?: number, reply_id: string = randomUUID()) =>
  call(admin, "send_reply", { submission_id: id, reply_id, reply: "We can.", mail }, seen);

const mark = (admin: SupabaseClient, id: string, state: string, seen?: number) =>
  call(admin, "set_submission_state", { submission_id: id, state }, seen);

const complete = (admin: SupabaseClient, id: string, seen?: number) =>
  call(admin, "take_request_step", { step: "complete", request_id: id, note: "Done.", mail: sampleMail }, seen);

const stale = { error: { code: "PT409" } };

eachBackend("concurrent changes by two admins", (backend) => {
  let people: [Person, Person];
  let ada: SupabaseClient;
  let grace: SupabaseClient;

  beforeAll(async () => {
    people = [await signInAdmin(backend), await signInAdmin(backend)];
    [ada, grace] = [backend.client(people[0].token), backend.client(people[1].token)];
  });

  async function newMessage(options: { email?: string; quarantineReason?: string; token?: string } = {}) {
    const { email = newAddress(), quarantineReason, token = newSecretToken() } = options;
    const submission = { email, answer_token_hash: await digestOfToken(token) };
    const { data } = await receive(backend.service, { submission, quarantineReason }).throwOnError();
    return data.submission_id;
  }

  const find = async (id: string) => (await ada.rpc("find_submission", { submission_id: id }).throwOnError()).data;
  const findRequest = async (id: string) =>
    (await ada.rpc("find_request", { request_id: id }).throwOnError()).data as { version: number; state: string };

  describe("messages", () => {
    it("rejects a second reply unless its author saw the first", async () => {
      const id = await newMessage();
      const { version } = await find(id);
      const first = randomUUID();
      await send(ada, id, version, first).throwOnError();
      expect(await send(grace, id, version)).toMatchObject(stale);
      expect((await find(id)).replies).toHaveLength(1);
      // The same form again is the same reply, regardless of later changes.
      expect((await send(ada, id, version, first).throwOnError()).data).toBe(false);
      await send(grace, id, (await find(id)).version).throwOnError();
      expect((await find(id)).replies).toHaveLength(2);
    });

    it.each([
      ["a change of state", (id: string) => mark(ada, id, "done")],
      ["a new draft", (id: string) => call(ada, "save_reply_draft", { submission_id: id, draft: "We c" })],
    ])("rejects a reply, draft, move or deletion from a stale page after %s", async (_what, change) => {
      const id = await newMessage();
      const { version } = await find(id);
      await change(id).throwOnError();
      const calls = [
        send(grace, id, version),
        call(grace, "save_reply_draft", { submission_id: id, draft: "Other words" }, version),
        mark(grace, id, "spam", version),
        call(grace, "delete_submission", { submission_id: id }, version),
      ];
      for (const made of calls) expect(await made).toMatchObject(stale);
      await mark(grace, id, "spam", (await find(id)).version).throwOnError();
    });

    it("rejects deletion from a stale page after a restoration", async () => {
      const id = await newMessage({ quarantineReason: "honeypot" });
      const { version } = await find(id);
      await call(ada, "restore_submission", { submission_id: id }, version).throwOnError();
      expect(await call(grace, "delete_submission", { submission_id: id }, version)).toMatchObject(stale);
    });

    it("accepts the same change from both admins, and a second click, without an error", async () => {
      const id = await newMessage();
      const { version } = await find(id);
      for (const admin of [ada, grace]) await mark(admin, id, "in_progress", version).throwOnError();
      expect((await find(id)).events).toHaveLength(1);
      const draft = { submission_id: id, draft: "We c" };
      const seen = (await find(id)).version;
      for (let i = 0; i < 2; i++) await call(ada, "save_reply_draft", draft, seen).throwOnError();
    });

    it("keeps its version when the site itself updates it", async () => {
      const id = await newMessage();
      const { version } = await find(id);
      await backend.sql(
        "update public.contact_submissions set answer_notice = 'due-soon', ip_address = null where id = $1 returning 1 as one",
        [id],
      );
      expect((await send(ada, id, version)).error).toBeNull();
    });
  });

  it("lists messages that a mail link marked as answered until an admin confirms or undoes it", async () => {
    const listed = async () =>
      (await ada.rpc("read_inbox").throwOnError()).data.marked_by_link.map(({ id }: { id: string }) => id);
    const tokens = [newSecretToken(), newSecretToken(), newSecretToken()] as const;
    const ids = [];
    for (const token of tokens) ids.push(await newMessage({ token }));
    const before = await find(ids[0] ?? "");
    for (const token of tokens) await backend.client().rpc("mark_answered", { token }).throwOnError();
    expect(await listed()).toEqual(ids.toReversed());
    // A page that was open before is now stale.
    expect(await send(ada, ids[0] ?? "", before.version)).toMatchObject(stale);
    const [right, wrong, answered] = await Promise.all(ids.map(find));
    expect(right.marked_by_link_at).toEqual(expect.any(String));
    await mark(ada, right.id, "done", right.version).throwOnError();
    await mark(grace, wrong.id, "new", wrong.version).throwOnError();
    await send(grace, answered.id, answered.version).throwOnError();
    expect(await listed()).toEqual([]);
    expect(await find(right.id)).toMatchObject({ state: "done", answered_at: right.answered_at });
    expect(await find(wrong.id)).toMatchObject({ state: "new", answered_at: null });
    // The link works as before, and the message is listed again.
    await backend.client().rpc("mark_answered", { token: tokens[1] }).throwOnError();
    expect(await listed()).toEqual([wrong.id]);
  });

  describe("data rights requests", () => {
    it.each([
      ["taken up", (id: string) => takeStep(ada, id, "startWork")],
      ["extended", (id: string) => takeStep(ada, id, "extend", "Complex.")],
      [
        "restricted",
        (id: string) => ada.rpc("take_request_step", { step: "restrict", request_id: id, note: "Asked." }),
      ],
      ["completed", (id: string) => complete(ada, id)],
    ])("rejects closing a request from a stale page after it was %s", async (_what, change) => {
      const { id } = await receiveConfirmed(backend, { type: "other" });
      const { version } = await findRequest(id);
      await change(id).throwOnError();
      expect(await complete(grace, id, version)).toMatchObject(stale);
      const now = await findRequest(id);
      const again = await complete(grace, id, now.version);
      expect(again.error?.code ?? "done").toBe(now.state === "completed" ? "55000" : "done");
    });

    it("rejects refusing a withdrawn request from a stale page, but accepts a note", async () => {
      const { id, tokens } = await receiveConfirmed(backend);
      const { version } = await findRequest(id);
      await backend.client().rpc("withdraw_data_rights_request", { token: tokens.status }).throwOnError();
      const refusal = { step: "refuse", request_id: id, note: "No.", mail: sampleMail };
      expect(await call(grace, "take_request_step", refusal, version)).toMatchObject(stale);
      await call(grace, "take_request_step", { step: "note", request_id: id, note: "Withdrawn." }).throwOnError();
    });

    it("rejects a correction of a text that has changed since it was shown", async () => {
      const email = newAddress();
      const submission_id = await newMessage({ email });
      const { id } = await receiveConfirmed(backend, { email, type: "rectification" });
      const correction = { request_id: id, record_id: submission_id, field: "name", seen_version: 0 };
      await ada.rpc("correct_record", { ...correction, value: "Ada Byron" }).throwOnError();
      expect(await grace.rpc("correct_record", { ...correction, value: "Ada King" })).toMatchObject(stale);
      await ada.rpc("correct_record", { ...correction, value: "Ada Byron" }).throwOnError();
      const { data } = await ada.rpc("find_request", { request_id: id }).throwOnError();
      expect(data.messages).toMatchObject([{ name: "Ada Byron", version: 1 }]);
    });
  });

  it("rejects changing or deleting a saved text that a colleague has changed since", async () => {
    const name = randomUUID();
    const save = (admin: SupabaseClient, body: string, id: string | null, seen?: number) =>
      call(admin, "save_reply_snippet", { snippet_id: id, name, body }, seen);
    const read = async () => {
      const { data } = await ada.rpc("list_reply_snippets").throwOnError();
      return (data as { id: string; name: string; body: string; version: number }[]).find(
        (text) => text.name === name,
      )!;
    };
    await save(ada, "First", null).throwOnError();
    const { id, version } = await read();
    await save(ada, "Second", id, version).throwOnError();
    // An identical text succeeds: it is a repetition, or a colleague meant the same.
    await save(ada, "Second", id, version).throwOnError();
    expect(await save(grace, "Third", id, version)).toMatchObject(stale);
    expect(await call(grace, "delete_reply_snippet", { snippet_id: id }, version)).toMatchObject(stale);
    expect((await read()).body).toBe("Second");
    await save(grace, "Third", id, (await read()).version).throwOnError();
    await call(grace, "delete_reply_snippet", { snippet_id: id }, (await read()).version).throwOnError();
  });

  it("rejects invitations, withdrawals and removals that are based on an outdated list", async () => {
    const read = async () =>
      (await ada.rpc("read_people").throwOnError()).data as {
        version: number;
        invitations: { id: string; email: string }[];
      };
    const invite = async (admin: SupabaseClient, email: string, seen: number) =>
      call(admin, "invite_admin", { email, token_hash: await digestOfToken(newSecretToken()), mail: sampleMail }, seen);
    const email = newAddress();
    const { version } = await read();
    await (
      await invite(ada, email, version)
    ).error;
    // A second invitation would end the first, whose mail is already out.
    expect(await invite(grace, email, version)).toMatchObject(stale);
    const now = await read();
    const [{ id } = { id: "" }] = now.invitations.filter((invitation) => invitation.email === email);
    expect(await call(grace, "withdraw_invitation", { invitation_id: id }, version)).toMatchObject(stale);
    expect(await call(grace, "remove_admin", { user_id: people[0].id }, version)).toMatchObject(stale);
    await call(grace, "withdraw_invitation", { invitation_id: id }, now.version).throwOnError();
  });
});
