import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { type Admin, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, receiveConfirmed, sampleMail, takeStep } from "../support/data-rights.ts";
import { receiveMessage } from "../support/examples.ts";
import { sendReply } from "../support/inbox.ts";
import { setRows } from "../support/retention.ts";

const send = (admin: Admin, id: string, seen?: number, changes = {}) => sendReply(admin, id, changes, seen);

const mark = (admin: Admin, submission_id: string, state: string, seen?: number) =>
  admin.call("set_submission_state", { submission_id, state }, seen);

const saveDraft = (admin: Admin, submission_id: string, draft: string, seen?: number) =>
  admin.call("save_reply_draft", { submission_id, draft }, seen);

const stale = "PT409";

eachBackend("changes by two admins", (backend) => {
  const ada = useAdmin(backend);
  const grace = useAdmin(backend);

  async function newMessage(options: { token?: string; email?: string; quarantineReason?: string } = {}) {
    const { token = newSecretToken(), email = newAddress(), quarantineReason } = options;
    const submission = { email, answer_token_hash: await digestOfToken(token) };
    return receiveMessage(backend, { submission, quarantineReason });
  }

  const find = (submission_id: string) => ada.call("find_submission", { submission_id });
  const findRequest = (request_id: string) => ada.call("find_request", { request_id });

  it.each<[string, (submission_id: string) => Promise<unknown>, string?]>([
    ["a reply", (id) => send(ada, id)],
    ["a change of state", (id) => mark(ada, id, "done")],
    ["a new draft", (id) => saveDraft(ada, id, "We c")],
    ["a restoration", (submission_id) => ada.call("restore_submission", { submission_id }), "honeypot"],
  ])("rejects a reply, draft, move or deletion from a stale page after %s", async (_, change, quarantineReason) => {
    const id = await newMessage({ quarantineReason });
    const { version } = await find(id);
    await change(id);
    const calls = [
      send(grace, id, version),
      saveDraft(grace, id, "Other words", version),
      mark(grace, id, "spam", version),
      grace.call("delete_submission", { submission_id: id }, version),
    ];
    expect(await Promise.all(calls)).toEqual([stale, stale, stale, stale]);
    expect(await mark(grace, id, "spam", (await find(id)).version)).toBeNull();
  });

  it("accepts a second click on a draft or a reply without an error", async () => {
    const id = await newMessage();
    const { version } = await find(id);
    for (let click = 0; click < 2; click++) expect(await saveDraft(ada, id, "We c", version)).toBeNull();
    const { version: saved } = await find(id);
    const same = { reply_id: randomUUID() };
    expect([await send(ada, id, saved, same), await send(ada, id, saved, same)]).toEqual([true, false]);
    expect((await find(id)).replies).toHaveLength(1);
  });

  it("keeps a message's version when the site itself updates it", async () => {
    const id = await newMessage();
    const { version } = await find(id);
    await setRows(backend, "public.contact_submissions", id, "answer_notice = 'due-soon', ip_address = null");
    expect(await send(ada, id, version)).toBe(true);
  });

  it("lists messages that a mail link marked as answered until an admin confirms or undoes it", async () => {
    const listed = async () => (await ada.call("read_inbox")).marked_by_link.map(({ id }: { id: string }) => id);
    const tokens = [newSecretToken(), newSecretToken(), newSecretToken()] as const;
    const ids = [];
    for (const token of tokens) ids.push(await newMessage({ token }));
    const before = await find(ids[0] ?? "");
    for (const token of tokens) await backend.client().rpc("mark_answered", { token }).throwOnError();
    expect(await listed()).toEqual(ids.toReversed());
    // A page that was open before is now stale.
    expect(await send(ada, ids[0] ?? "", before.version)).toBe(stale);
    const [right, wrong, answered] = await Promise.all(ids.map(find));
    expect(right.marked_by_link_at).toEqual(expect.any(String));
    await mark(ada, right.id, "done", right.version);
    await mark(grace, wrong.id, "new", wrong.version);
    await send(grace, answered.id, answered.version);
    expect(await listed()).toEqual([]);
    expect(await find(right.id)).toMatchObject({ state: "done", answered_at: right.answered_at });
    expect(await find(wrong.id)).toMatchObject({ state: "new", answered_at: null });
    // The link works as before, and the message is listed again.
    await backend.client().rpc("mark_answered", { token: tokens[1] }).throwOnError();
    expect(await listed()).toEqual([wrong.id]);
  });

  it.each([
    ["startWork", null],
    ["extend", null],
    ["restrict", null],
    ["complete", "55000"],
  ])("rejects closing a request from a stale page after the step %s", async (step, again) => {
    const { id } = await receiveConfirmed(backend, { type: "other" });
    const completion = { step: "complete", request_id: id, note: "Done.", mail: sampleMail };
    const { version } = await findRequest(id);
    await takeStep(ada, id, step).throwOnError();
    expect(await grace.call("take_request_step", completion, version)).toBe(stale);
    expect(await grace.call("take_request_step", completion, (await findRequest(id)).version)).toBe(again);
  });

  it("rejects a correction of a text that has changed since it was shown", async () => {
    const email = newAddress();
    const record_id = await newMessage({ email });
    const { id } = await receiveConfirmed(backend, { email, type: "rectification" });
    const correction = { request_id: id, record_id, field: "name", seen_version: 0 };
    const correct = (admin: Admin, value: string) => admin.call("correct_record", { ...correction, value });
    await correct(ada, "Ada Byron");
    expect(await correct(grace, "Ada King")).toBe(stale);
    expect(await correct(ada, "Ada Byron")).toBeNull();
    expect((await findRequest(id)).messages).toMatchObject([{ name: "Ada Byron", version: 1 }]);
  });

  it("rejects changing or deleting a saved text that a colleague has changed since", async () => {
    const name = randomUUID();
    const save = (admin: Admin, body: string, snippet_id: string | null, seen?: number) =>
      admin.call("save_reply_snippet", { snippet_id, name, body }, seen);
    const read = async () => (await ada.call("list_reply_snippets"))[0];
    await save(ada, "First", null);
    const { id: snippet_id, version } = await read();
    // The second text is identical: it is a repetition, or a colleague meant the same.
    for (let i = 0; i < 2; i++) expect(await save(ada, "Second", snippet_id, version)).toBeNull();
    expect(await save(grace, "Third", snippet_id, version)).toBe(stale);
    expect(await grace.call("delete_reply_snippet", { snippet_id }, version)).toBe(stale);
    expect((await read()).body).toBe("Second");
    await save(grace, "Third", snippet_id, (await read()).version);
    await grace.call("delete_reply_snippet", { snippet_id }, (await read()).version);
    expect(await read()).toBeUndefined();
  });

  it("rejects invitations, withdrawals and removals that are based on an outdated list", async () => {
    const token_hash = await digestOfToken(newSecretToken());
    const invite = (admin: Admin, seen: number) =>
      admin.call("invite_admin", { email: newAddress(), token_hash, mail: sampleMail }, seen);
    const { version } = await ada.call("read_people");
    expect(await invite(ada, version)).toEqual(expect.stringMatching(/^20\d\d-/));
    // A second invitation would end the first, whose mail is already out.
    expect(await invite(grace, version)).toBe(stale);
    const now = await ada.call("read_people");
    const invitation_id = now.invitations[0].id;
    expect(await grace.call("withdraw_invitation", { invitation_id }, version)).toBe(stale);
    expect(await grace.call("remove_admin", { user_id: ada.id }, version)).toBe(stale);
    expect(await grace.call("withdraw_invitation", { invitation_id }, now.version)).toBeNull();
  });
});
