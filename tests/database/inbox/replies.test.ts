import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, previewErasure, receiveConfirmed, sampleMail, takeStep } from "../support/data-rights.ts";
import { exampleMails, receive } from "../support/examples.ts";
import { countRows, setRows } from "../support/retention.ts";

const mail = { subject: "Re: Your message", quotation: "You wrote:\n> Please call me." };

eachBackend("replies", (backend) => {
  const admin = useAdmin(backend);

  async function newSubmission(email = newAddress()): Promise<string> {
    const mails = exampleMails.map((each) => (each.kind === "acknowledgement" ? { ...each, recipient: email } : each));
    return (await receive(backend.service, { submission: { email }, mails }).throwOnError()).data.submission_id;
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

  const settle = (mail_id: string | undefined, outcome: string) =>
    backend.service.rpc("settle_mails", { attempts: [{ mail_id, outcome }] }).throwOnError();

  /** Counts a message's replies and drafts. */
  const count = (submission: string) =>
    Promise.all(
      ["message_replies", "reply_drafts"].map((table) =>
        countRows(backend, `private.${table}`, submission, "submission_id"),
      ),
    );

  const takeBack = async (submission_id: string, reply_id: string) =>
    (await admin.rpc("take_back_reply", { submission_id, reply_id }).throwOnError()).data;
  const claimMails = async () =>
    (await backend.service.rpc("claim_due_mail", { batch_size: 100, lease_seconds: 60 }).throwOnError()).data.map(
      ({ id }: { id: string }) => id,
    );

  describe("taken back", () => {
    const paused = { mail: { ...mail, after_ms: 30_000 } };

    it("are drafts again, above one saved since, and no mail leaves", async () => {
      const id = await newSubmission();
      const reply_id = randomUUID();
      await send(id, { reply_id, reply: "Mine", ...paused }).throwOnError();
      expect((await find(id)).replies).toMatchObject([{ id: reply_id, leaves_at: expect.any(String) }]);
      expect(await claimMails()).not.toContain(reply_id);
      await save(id, "Theirs").throwOnError();
      expect(await takeBack(id, reply_id)).toBe(true);
      expect(await find(id)).toMatchObject({ state: "in_progress", replies: [], draft: { body: "Mine\n\nTheirs" } });
      expect(await findMails(id)).toEqual([]);
      expect(await takeBack(id, reply_id)).toBe(false);
    });

    it("leave all the same once their mail is leased or a minute would be over", async () => {
      const id = await newSubmission();
      const reply_id = randomUUID();
      await send(id, { reply_id, ...paused }).throwOnError();
      await setRows(backend, "private.email_outbox", reply_id, "next_attempt_at = now()");
      expect(await takeBack(id, reply_id)).toBe(false);
      expect(await claimMails()).toContain(reply_id);
      await setRows(backend, "private.email_outbox", reply_id, "next_attempt_at = now() + interval '1 minute'");
      expect(await takeBack(id, reply_id)).toBe(false);
      expect((await find(id)).replies).toMatchObject([{ id: reply_id, leaves_at: null }]);
      expect((await send(id, { mail: { ...mail, after_ms: 60_001 } })).error?.code).toBe("22023");
    });
  });

  it("stores and mails a reply and marks the message as done, in one call; it is answered once the mail was handed over", async () => {
    const email = newAddress();
    const id = await newSubmission(email);
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
        by: admin.email,
        delivery: "waiting",
        leaves_at: null,
        code: null,
      },
    ]);
    expect(found.events).toMatchObject([{ action: "submission-replied", by: admin.email }]);
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
    await settle(reply_id, "rejected");
    const refused = await find(id);
    expect(refused).toMatchObject({ state: "in_progress", answered_at: null, replies: [{ delivery: "given-up" }] });
    await settle(reply_id, "delivered");
    const sent = await find(id);
    expect(sent).toMatchObject({ state: "done", answered_at: expect.any(String), replies: [{ delivery: "sent" }] });
  });

  it("uses the given subject when no acknowledgement is kept", async () => {
    const id = await newSubmission();
    await backend.sql("delete from private.email_outbox where submission_id = $1 returning id", [id]);
    await send(id).throwOnError();
    expect(await findMails(id)).toMatchObject([{ subject: mail.subject }]);
  });

  it("sends replies in one mail thread and keeps the time of the first", async () => {
    const id = await newSubmission();
    const replies = [randomUUID(), randomUUID(), randomUUID()];
    await send(id, { reply_id: replies[0] }).throwOnError();
    await settle(replies[0], "delivered");
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

  it.each<[string, Record<string, unknown>]>([
    ["no text", { reply: "" }],
    ["white space alone", { reply: " \r\n\t " }],
    ["null", { reply: null }],
    ["too long a text", { reply: "x".repeat(10_001) }],
    ["no id", { reply_id: null }],
    ["a subject of two lines", { mail: { ...mail, subject: "Re: Received\nBcc: everybody@example.com" } }],
    ["an empty subject", { mail: { ...mail, subject: "" } }],
    ["no quotation", { mail: { subject: mail.subject } }],
    ["no mail", { mail: null }],
    ["too long a quotation", { mail: { ...mail, quotation: "x".repeat(30_001) } }],
  ])("rejects a reply with %s, and changes nothing", async (_, changes) => {
    const id = await newSubmission();
    await save(id, "Not yet").throwOnError();
    expect((await send(id, changes)).error?.code).toBe("22023");
    expect(await find(id)).toMatchObject({ state: "new", answered_at: null, replies: [], draft: { body: "Not yet" } });
    expect(await findMails(id)).toEqual([]);
  });

  it("keeps one draft per message, the latest, and none without text", async () => {
    const id = await newSubmission();
    await save(id, "First").throwOnError();
    await save(id, "Second \n").throwOnError();
    expect((await find(id)).draft).toEqual({ body: "Second", saved_at: expect.any(String), by: admin.email });
    expect((await save(id, "x".repeat(10_001))).error?.code).toBe("22023");
    await save(id, " \n").throwOnError();
    expect(await find(id)).toMatchObject({ draft: null, state: "new" });
  });

  it("exports replies without their author, counts them, and erases them with mails and drafts", async () => {
    const email = newAddress();
    const id = await newSubmission(email);
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
    expect(JSON.stringify(data)).not.toContain(admin.id);
    await takeStep(admin, access.id, "complete").throwOnError();

    const erasure = await receiveConfirmed(backend, { email, type: "erasure" });
    expect(await previewErasure(admin, erasure)).toMatchObject({ submissions: 1, replies: 2, mentions: 1 });
    await admin.rpc("erase_subject", { request_id: erasure.id, mail: sampleMail }).throwOnError();
    expect([await count(id), await count(third)]).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(await findMails(id)).toEqual([]);
  });
});
