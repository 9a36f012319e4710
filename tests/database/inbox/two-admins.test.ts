import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { type Admin, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, receiveConfirmed, sampleMail, takeStep } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { setRows } from "../support/retention.ts";

const mail = { subject: "Re: Received", quotation: "You wrote:\n> Please call me." };

/** Calls a function as a page that showed version `seen` does. */
function call(admin: Admin, name: string, parameters: Record<string, unknown>, seen?: number) {
  const made = admin.rpc(name, parameters);
  return seen === undefined ? made : made.setHeader("x-seen-version", String(seen));
}

const send = (admin: Admin, id: string, seen?: number, reply_id: string = randomUUID()) =>
  call(admin, "send_reply", { submission_id: id, reply_id, reply: "We can.", mail }, seen);

const mark = (admin: Admin, id: string, state: string, seen?: number) =>
  call(admin, "set_submission_state", { submission_id: id, state }, seen);

const saveDraft = (admin: Admin, id: string, draft: string, seen?: number) =>
  call(admin, "save_reply_draft", { submission_id: id, draft }, seen);

const stale = { error: { code: "PT409" } };

eachBackend("changes by two admins", (backend) => {
  const ada = useAdmin(backend);
  const grace = useAdmin(backend);

  async function newMessage(options: { token?: string; email?: string; quarantineReason?: string } = {}) {
    const { token = newSecretToken(), email = newAddress(), quarantineReason } = options;
    const submission = { email, answer_token_hash: await digestOfToken(token) };
    const { data } = await receive(backend.service, { submission, quarantineReason }).throwOnError();
    return data.submission_id;
  }

  const find = async (id: string) => (await ada.rpc("find_submission", { submission_id: id }).throwOnError()).data;
  const findRequest = async (id: string) => (await ada.rpc("find_request", { request_id: id }).throwOnError()).data;

  it.each<[string, (id: string) => ReturnType<typeof call>, string?]>([
    ["a reply", (id) => send(ada, id)],
    ["a change of state", (id) => mark(ada, id, "done")],
    ["a new draft", (id) => saveDraft(ada, id, "We c")],
    ["a restoration", (id) => call(ada, "restore_submission", { submission_id: id }), "honeypot"],
  ])("rejects a reply, draft, move or deletion from a stale page after %s", async (_, change, quarantineReason) => {
    const id = await newMessage({ quarantineReason });
    const { version } = await find(id);
    await change(id).throwOnError();
    const calls = [
      send(grace, id, version),
      saveDraft(grace, id, "Other words", version),
      mark(grace, id, "spam", version),
      call(grace, "delete_submission", { submission_id: id }, version),
    ];
    for (const made of calls) expect(await made).toMatchObject(stale);
    await mark(grace, id, "spam", (await find(id)).version).throwOnError();
  });

  it("accepts the same change of a message from both admins, and a second click, without an error", async () => {
    const id = await newMessage();
    const { version } = await find(id);
    for (const admin of [ada, grace]) await mark(admin, id, "in_progress", version).throwOnError();
    expect((await find(id)).events).toHaveLength(1);
    const { version: marked } = await find(id);
    for (let click = 0; click < 2; click++) await saveDraft(ada, id, "We c", marked).throwOnError();
    const { version: saved } = await find(id);
    const reply_id = randomUUID();
    const sent = [await send(ada, id, saved, reply_id), await send(ada, id, saved, reply_id)];
    expect(sent).toMatchObject([{ data: true }, { data: false }]);
    expect((await find(id)).replies).toHaveLength(1);
  });

  it("keeps a message's version when the site itself updates it", async () => {
    const id = await newMessage();
    const { version } = await find(id);
    await setRows(backend, "public.contact_submissions", id, "answer_notice = 'due-soon', ip_address = null");
    expect((await send(ada, id, version)).error).toBeNull();
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

  it.each([
    ["taken up", (id: string) => takeStep(ada, id, "startWork"), "done"],
    ["extended", (id: string) => takeStep(ada, id, "extend"), "done"],
    ["restricted", (id: string) => takeStep(ada, id, "restrict"), "done"],
    ["completed", (id: string) => takeStep(ada, id, "complete"), "55000"],
  ])("rejects closing a request from a stale page after it was %s", async (_, change, again) => {
    const { id } = await receiveConfirmed(backend, { type: "other" });
    const complete = (seen: number) =>
      call(grace, "take_request_step", { step: "complete", request_id: id, note: "Done.", mail: sampleMail }, seen);
    const { version } = await findRequest(id);
    await change(id).throwOnError();
    expect(await complete(version)).toMatchObject(stale);
    expect((await complete((await findRequest(id)).version)).error?.code ?? "done").toBe(again);
  });

  it("rejects a correction of a text that has changed since it was shown", async () => {
    const email = newAddress();
    const record_id = await newMessage({ email });
    const { id } = await receiveConfirmed(backend, { email, type: "rectification" });
    const correction = { request_id: id, record_id, field: "name", seen_version: 0 };
    await ada.rpc("correct_record", { ...correction, value: "Ada Byron" }).throwOnError();
    expect(await grace.rpc("correct_record", { ...correction, value: "Ada King" })).toMatchObject(stale);
    await ada.rpc("correct_record", { ...correction, value: "Ada Byron" }).throwOnError();
    expect((await findRequest(id)).messages).toMatchObject([{ name: "Ada Byron", version: 1 }]);
  });

  it("rejects changing or deleting a saved text that a colleague has changed since", async () => {
    const name = randomUUID();
    const save = (admin: Admin, body: string, id: string | null, seen?: number) =>
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
    const read = async () => (await ada.rpc("read_people").throwOnError()).data;
    const email = newAddress();
    const invite = async (admin: Admin, seen: number) =>
      call(admin, "invite_admin", { email, token_hash: await digestOfToken(newSecretToken()), mail: sampleMail }, seen);
    const { version } = await read();
    expect((await invite(ada, version)).error).toBeNull();
    // A second invitation would end the first, whose mail is already out.
    expect(await invite(grace, version)).toMatchObject(stale);
    const now = await read();
    const invitation_id = now.invitations.find((open: { email: string }) => open.email === email).id;
    expect(await call(grace, "withdraw_invitation", { invitation_id }, version)).toMatchObject(stale);
    expect(await call(grace, "remove_admin", { user_id: ada.id }, version)).toMatchObject(stale);
    await call(grace, "withdraw_invitation", { invitation_id }, now.version).throwOnError();
  });
});
