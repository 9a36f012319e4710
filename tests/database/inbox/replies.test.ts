import type { SupabaseClient } from "@supabase/supabase-js";
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { newAddress, receiveConfirmed, sampleMail, takeStep, previewErasure } from "../support/data-rights.ts";
import { exampleMails, receive } from "../support/examples.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

const mail = { subject: "Re: Your message", quotation: "You wrote:\n> Please call me." };

eachBackend("replies", (backend) => {
  let person: Person;
  let admin: SupabaseClient;

  beforeAll(async () => {
    person = await signInAdmin(backend);
    admin = backend.client(person.token);
  });

  async function newSubmission(options: { email?: string; quarantineReason?: string } = {}): Promise<string> {
    const { email = newAddress(), quarantineReason } = options;
    const mails = exampleMails.map((each) => (each.kind === "acknowledgement" ? { ...each, recipient: email } : each));
    const received = await receive(backend.service, { submission: { email }, mails, quarantineReason });
    return received.data!.submission_id;
  }

  const send = (submission: string, changes: Record<string, unknown> = {}) =>
    admin.rpc("send_reply", { submission_id: submission, reply_id: randomUUID(), reply: "We can.", mail, ...changes });

  const save = (submission: string, draft: string) =>
    admin.rpc("save_reply_draft", { submission_id: submission, draft });

  const find = async (submission: string) =>
    (await admin.rpc("find_submission", { submission_id: submission }).throwOnError()).data;

  const findMails = (submission: string) =>
    backend.sql<{ id: string; recipient: string; body: string; thread: string[] }>(
      "select id, recipient, reply_to, subject, body, thread from private.email_outbox where submission_id = $1 and kind = 'reply' order by created_at",
      [submission],
    );

  const count = async (table: string, submission: string) =>
    (await backend.sql(`select 1 as found from private.${table} where submission_id = $1`, [submission])).length;

  it("stores and mails a reply and marks the message as done, in one call; it is answered once the mail was handed over", async () => {
    const email = newAddress();
    const id = await newSubmission({ email });
    await save(id, "We c").throwOnError();
    const reply_id = randomUUID();
    expect((await send(id, { reply_id, reply: "  We can.\nWhen?\n\n" }).throwOnError()).data).toBe(true);
    const found = await find(id);
    expect(found).toMatchObject({ state: "done", answered_at: null, draft: null });
    expect(found.replies).toEqual([
      {
        id: reply_id,
        written_at: expect.any(String),
        body: "  We can.\nWhen?",
        by: person.email,
        delivery: "waiting",
        code: null,
      },
    ]);
    expect(found.events).toMatchObject([{ action: "submission-replied", by: person.email }]);
    const [acknowledgement] = await backend.sql<{ id: string }>(
      "select id from private.email_outbox where submission_id = $1 and kind = 'acknowledgement'",
      [id],
    );
    expect(await findMails(id)).toEqual([
      {
        id: reply_id,
        recipient: email,
        reply_to: null,
        subject: "Re: Received",
        body: `  We can.\nWhen?\n\n${mail.quotation}`,
        thread: [acknowledgement!.id],
      },
    ]);
    const settle = (outcome: string) =>
      backend.service.rpc("settle_mails", { attempts: [{ mail_id: reply_id, outcome }] }).throwOnError();
    await settle("rejected");
    const refused = await find(id);
    expect(refused).toMatchObject({ state: "in_progress", answered_at: null, replies: [{ delivery: "given-up" }] });
    await settle("delivered");
    const sent = await find(id);
    expect(sent).toMatchObject({ state: "done", answered_at: expect.any(String), replies: [{ delivery: "sent" }] });
  });

  it("repeats the acknowledgement's subject, and uses the given one when no acknowledgement is kept", async () => {
    const id = await newSubmission();
    await backend.sql("delete from private.email_outbox where submission_id = $1 returning id", [id]);
    await send(id).throwOnError();
    expect(await findMails(id)).toMatchObject([{ subject: mail.subject }]);
  });

  it("sends replies in one mail thread and keeps the time of the first", async () => {
    const id = await newSubmission();
    const replies = [randomUUID(), randomUUID(), randomUUID()];
    await send(id, { reply_id: replies[0] }).throwOnError();
    await backend.service
      .rpc("settle_mails", { attempts: [{ mail_id: replies[0], outcome: "delivered" }] })
      .throwOnError();
    const { answered_at } = await find(id);
    expect(answered_at).not.toBeNull();
    for (const reply_id of replies.slice(1)) await send(id, { reply_id }).throwOnError();
    expect((await find(id)).answered_at).toBe(answered_at);
    const threads = (await findMails(id)).map(({ thread }) => thread.slice(1));
    expect(threads).toEqual([[], replies.slice(0, 1), replies.slice(0, 2)]);
  });

  it("stores and mails a reply once when the same form is posted repeatedly", async () => {
    const id = await newSubmission();
    const reply_id = randomUUID();
    const results = await Promise.all([1, 2, 3, 4].map(() => send(id, { reply_id })));
    expect(results.map(({ data }) => data).toSorted()).toEqual([false, false, false, true]);
    expect(await findMails(id)).toHaveLength(1);
    expect((await find(id)).events).toHaveLength(1);
    // Other words or another message are no repetition, and must not be dropped silently.
    expect((await send(id, { reply_id, reply: "Other words" })).error?.code).toBe("23505");
    expect((await send(await newSubmission(), { reply_id })).error?.code).toBe("23505");
    expect(await findMails(id)).toHaveLength(1);
  });

  it("rejects an empty or overlong reply or a bad subject, and changes nothing", async () => {
    const id = await newSubmission();
    await save(id, "Not yet").throwOnError();
    const refused: Record<string, unknown>[] = [
      { reply: "" },
      { reply: " \r\n\t " },
      { reply: null },
      { reply: "x".repeat(10_001) },
      { reply_id: null },
      { mail: { ...mail, subject: "Re: Received\nBcc: everybody@example.com" } },
      { mail: { ...mail, subject: "" } },
      { mail: { subject: mail.subject } },
      { mail: null },
      { mail: { ...mail, quotation: "x".repeat(30_001) } },
    ];
    for (const changes of refused) expect([changes, (await send(id, changes)).error?.code]).toEqual([changes, "22023"]);
    expect(await find(id)).toMatchObject({ state: "new", answered_at: null, replies: [], draft: { body: "Not yet" } });
    expect(await findMails(id)).toEqual([]);
  });

  it("rejects replies and drafts to missing, restricted, quarantined and spam messages", async () => {
    const [frozen, spam] = [await newSubmission(), await newSubmission()];
    const held = await newSubmission({ quarantineReason: "honeypot" });
    await backend.sql("update public.contact_submissions set frozen_at = now() where id = $1 returning 1 as ok", [
      frozen,
    ]);
    await admin.rpc("set_submission_state", { submission_id: spam, state: "spam" }).throwOnError();
    for (const [id, code] of [
      [frozen, "55000"],
      [spam, "55000"],
      [held, "55000"],
      [randomUUID(), "P0002"],
    ] as const) {
      expect((await send(id)).error?.code).toBe(code);
      expect((await save(id, "Words")).error?.code).toBe(code);
    }
  });

  it("keeps one draft per message, the latest, and none without text", async () => {
    const id = await newSubmission();
    await save(id, "First").throwOnError();
    await save(id, "Second \n").throwOnError();
    expect((await find(id)).draft).toEqual({ body: "Second", saved_at: expect.any(String), by: person.email });
    expect((await save(id, "x".repeat(10_001))).error?.code).toBe("22023");
    await save(id, " \n").throwOnError();
    expect(await find(id)).toMatchObject({ draft: null, state: "new" });
  });

  it("shows replies and snippets to admins only", async () => {
    const id = await newSubmission();
    const other = await backend.signIn();
    for (const client of [backend.client(), backend.client(other.token), backend.service]) {
      const calls = [
        ["send_reply", { submission_id: id, reply_id: randomUUID(), reply: "Words", mail }],
        ["save_reply_draft", { submission_id: id, draft: "Words" }],
        ["list_reply_snippets", {}],
        ["save_reply_snippet", { snippet_id: null, name: "Name", body: "Words" }],
        ["delete_reply_snippet", { snippet_id: randomUUID() }],
      ] as const;
      for (const [name, parameters] of calls)
        expect([name, (await client.rpc(name, parameters)).error?.code]).toEqual([name, "42501"]);
    }
    expect(await find(id)).toMatchObject({ replies: [], draft: null });
  });

  it("exports replies without their author, counts them, and erases them with mails and drafts", async () => {
    const email = newAddress();
    const id = await newSubmission({ email });
    await send(id, { reply: "An answer for you alone" }).throwOnError();
    await save(id, "And a second").throwOnError();
    const third = await newSubmission();
    await send(third, { reply: `Ask ${email.toUpperCase()}` }).throwOnError();
    const access = await receiveConfirmed(backend, { email, type: "access" });
    const { data } = await admin.rpc("export_subject_data", { request_id: access.id }).throwOnError();
    expect(data.submissions).toMatchObject([
      {
        replies: [{ written_at: expect.any(String), body: "An answer for you alone" }],
        reply_draft: { saved_at: expect.any(String), body: "And a second" },
      },
    ]);
    expect(data.mails.map(({ kind }: { kind: string }) => kind)).toContain("reply");
    expect(JSON.stringify(data)).not.toContain(person.id);
    await takeStep(admin, access.id, "complete").throwOnError();

    const erasure = await receiveConfirmed(backend, { email, type: "erasure" });
    expect(await previewErasure(admin, erasure)).toMatchObject({ submissions: 1, replies: 2, mentions: 1 });
    await admin.rpc("erase_subject", { request_id: erasure.id, mail: sampleMail }).throwOnError();
    expect([await count("message_replies", id), await count("reply_drafts", id)]).toEqual([0, 0]);
    expect(await findMails(id)).toEqual([]);
    expect(await count("message_replies", third)).toBe(1);
  });

  it("deletes replies with their message, and holds their mail while it is restricted", async () => {
    const ids = [await newSubmission(), await newSubmission(), await newSubmission()] as const;
    for (const id of ids) {
      await send(id).throwOnError();
      await save(id, "Words").throwOnError();
    }
    const [deleted, old, frozen] = ids;
    await admin.rpc("delete_submission", { submission_id: deleted }).throwOnError();
    await backend.sql(
      `update public.contact_submissions set created_at = now() - interval '3 years',
         frozen_at = case when id = $1 then now() end where id in ($1, $2) returning 1 as ok`,
      [frozen, old],
    );
    await backend.service.rpc("keep_retention", { source: "test" }).throwOnError();
    for (const [id, left] of [
      [deleted, 0],
      [old, 0],
      [frozen, 1],
    ] as const) {
      expect([await count("message_replies", id), await count("reply_drafts", id)]).toEqual([left, left]);
      expect(await findMails(id)).toHaveLength(left);
    }
    const { data: due } = await backend.service.rpc("claim_due_mail", { batch_size: 100, lease_seconds: 60 });
    const [held] = await findMails(frozen);
    expect(due.map(({ id }: { id: string }) => id)).not.toContain(held?.id);
  });
});
