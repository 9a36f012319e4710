import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { newAddress, useRequests } from "../support/data-rights.ts";
import { mailsTo, receiveMessage } from "../support/examples.ts";
import { fillInbox, replyMail, sendReply } from "../support/inbox.ts";
import { claimMails, settleMail } from "../support/mail.ts";
import { countRows, setRows } from "../support/retention.ts";

eachBackend("replies", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;

  const newMessage = (email = newAddress()) =>
    receiveMessage(backend, { submission: { email }, mails: mailsTo(email) });
  const send = (submission_id: string, changes = {}) => sendReply(admin, submission_id, changes);
  const save = (submission_id: string, draft: string) => admin.call("save_reply_draft", { submission_id, draft });
  const find = (submission_id: string) => admin.call("find_submission", { submission_id });

  const findMails = (submission: string) =>
    backend.sql<{ id: string; recipient: string; subject: string; body: string; thread: string[] }>(
      "select id, recipient, reply_to, subject, body, thread from private.email_outbox where submission_id = $1 and kind = 'reply' order by created_at",
      [submission],
    );

  const settle = (id: string, outcome: string) => settleMail(backend, { id }, outcome).throwOnError();

  /** Counts a message's replies and drafts. */
  const count = (submission: string) =>
    Promise.all(
      ["message_replies", "reply_drafts"].map((table) =>
        countRows(backend, `private.${table}`, submission, "submission_id"),
      ),
    );

  const paused = { mail: { ...replyMail, after_ms: 30_000 } };
  const takeBack = (submission_id: string, reply_id: string) =>
    admin.call("take_back_reply", { submission_id, reply_id });
  const claimIds = async () => (await claimMails(backend)).map(({ id }) => id);

  it("makes a reply taken back a draft again, above one saved since, and mails nothing", async () => {
    const id = await newMessage();
    const reply_id = randomUUID();
    await send(id, { reply_id, reply: "Mine", ...paused });
    expect((await find(id)).replies).toMatchObject([{ id: reply_id, leaves_at: expect.any(String) }]);
    expect(await claimIds()).not.toContain(reply_id);
    await save(id, "Theirs");
    expect(await takeBack(id, reply_id)).toBe(true);
    expect(await find(id)).toMatchObject({ state: "in_progress", replies: [], draft: { body: "Mine\n\nTheirs" } });
    expect(await findMails(id)).toEqual([]);
    expect(await takeBack(id, reply_id)).toBe(false);
  });

  it("takes no reply back once its mail is leased or a minute would be over", async () => {
    const id = await newMessage();
    const reply_id = randomUUID();
    await send(id, { reply_id, ...paused });
    await setRows(backend, "private.email_outbox", reply_id, "next_attempt_at = now()");
    expect(await takeBack(id, reply_id)).toBe(false);
    expect(await claimIds()).toContain(reply_id);
    await setRows(backend, "private.email_outbox", reply_id, "next_attempt_at = now() + interval '1 minute'");
    expect(await takeBack(id, reply_id)).toBe(false);
    expect((await find(id)).replies).toMatchObject([{ id: reply_id, leaves_at: null }]);
    expect(await send(id, { mail: { ...replyMail, after_ms: 60_001 } })).toBe("22023");
  });

  it("stores and mails a reply and marks the message as done, in one call; it is answered once the mail was handed over", async () => {
    const email = newAddress();
    const id = await newMessage(email);
    await save(id, "We c");
    const reply_id = randomUUID();
    expect(await send(id, { reply_id, reply: "  We can.\nWhen?\n\n" })).toBe(true);
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
        body: `  We can.\nWhen?\n\n${replyMail.quotation}`,
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

  it("sends replies in one mail thread, keeps the time of the first, and needs no kept acknowledgement", async () => {
    const id = await newMessage();
    await backend.sql("delete from private.email_outbox where submission_id = $1 returning id", [id]);
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    await send(id, { reply_id: first });
    await settle(first, "delivered");
    const { answered_at } = await find(id);
    expect(answered_at).not.toBeNull();
    for (const reply_id of [second, third]) await send(id, { reply_id });
    expect((await find(id)).answered_at).toBe(answered_at);
    const mails = await findMails(id);
    expect(mails.map(({ thread }) => thread)).toEqual([[], [first], [first, second]]);
    expect(mails[0]!.subject).toBe(replyMail.subject);
  });

  it("stores and mails a reply once when the same form is posted repeatedly", async () => {
    const id = await newMessage();
    const reply_id = randomUUID();
    const results = await Promise.all([1, 2, 3, 4].map(() => send(id, { reply_id })));
    expect(results.toSorted()).toEqual([false, false, false, true]);
    expect(await findMails(id)).toHaveLength(1);
    expect((await find(id)).events).toHaveLength(1);
    // Other words or another message are no repetition, and must not be dropped silently.
    expect(await send(id, { reply_id, reply: "Other words" })).toBe("23505");
    expect(await send(await newMessage(), { reply_id })).toBe("23505");
    expect(await findMails(id)).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>]>([
    ["no text", { reply: "" }],
    ["white space alone", { reply: " \r\n\t " }],
    ["null", { reply: null }],
    ["too long a text", { reply: "x".repeat(10_001) }],
    ["no id", { reply_id: null }],
    ["a subject of two lines", { mail: { ...replyMail, subject: "Re: Received\nBcc: everybody@example.com" } }],
    ["an empty subject", { mail: { ...replyMail, subject: "" } }],
    ["no quotation", { mail: { subject: replyMail.subject } }],
    ["no mail", { mail: null }],
    ["too long a quotation", { mail: { ...replyMail, quotation: "x".repeat(30_001) } }],
  ])("rejects a reply with %s, and changes nothing", async (_, changes) => {
    const id = await newMessage();
    await save(id, "Not yet");
    expect(await send(id, changes)).toBe("22023");
    expect(await find(id)).toMatchObject({ state: "new", answered_at: null, replies: [], draft: { body: "Not yet" } });
    expect(await findMails(id)).toEqual([]);
  });

  it("keeps one draft per message, the latest, and none without text", async () => {
    const id = await newMessage();
    await save(id, "First");
    await save(id, "Second \n");
    expect((await find(id)).draft).toEqual({ body: "Second", saved_at: expect.any(String), by: admin.email });
    expect(await save(id, "x".repeat(10_001))).toBe("22023");
    await save(id, " \n");
    expect(await find(id)).toMatchObject({ draft: null, state: "new" });
  });

  it("exports replies without their author, counts them, and erases them with mails and drafts", async () => {
    const email = newAddress();
    const id = await newMessage(email);
    await send(id, { reply: "An answer for you alone" });
    await save(id, "And a second");
    const third = await newMessage();
    await send(third, { reply: `Ask ${email.toUpperCase()}` });
    const access = await requests.receiveConfirmed({ email, type: "access" });
    const data = await requests.exportSubject(access);
    expect(data.submissions).toMatchObject([
      {
        replies: [{ written_at: expect.any(String), body: "An answer for you alone" }],
        reply_draft: { saved_at: expect.any(String), body: "And a second" },
      },
    ]);
    expect(data.mails.map(({ kind }: { kind: string }) => kind)).toContain("reply");
    expect(JSON.stringify(data)).not.toContain(admin.id);

    const erasure = await requests.receiveConfirmed({ email, type: "erasure" });
    expect(await requests.previewErasure(erasure)).toMatchObject({ submissions: 1, replies: 2, mentions: 1 });
    await requests.erase(erasure).throwOnError();
    expect([await count(id), await count(third)]).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(await findMails(id)).toEqual([]);
  });

  const listSnippets = () => admin.call("list_reply_snippets");
  const saveSnippet = (name: string, body: string, snippet_id: string | null = null) =>
    admin.call("save_reply_snippet", { snippet_id, name, body });
  const deleteSnippet = (snippet_id: string) => admin.call("delete_reply_snippet", { snippet_id });

  it("adds, changes and deletes snippets with unique names", async () => {
    await saveSnippet("thanks", "Thank you, {name}.");
    await saveSnippet("Hours", "Monday to Friday.");
    const [hours, thanks] = await listSnippets();
    expect([hours.name, thanks.name]).toEqual(["Hours", "thanks"]);
    expect(await saveSnippet("thanks", "Again")).toBe("23505");
    expect(await saveSnippet("thanks", "Again", hours.id)).toBe("23505");
    await saveSnippet("Hours", "Every day.", hours.id);
    expect((await listSnippets())[0]).toEqual({ id: hours.id, name: "Hours", body: "Every day.", version: 1 });
    await deleteSnippet(thanks.id);
    expect(await listSnippets()).toHaveLength(1);
    for (const gone of [thanks.id, randomUUID()]) {
      expect(await deleteSnippet(gone)).toBe("P0002");
      expect(await saveSnippet("New", "Words", gone)).toBe("P0002");
    }
    for (const name of ["", "Two\nlines", "n".repeat(81)]) expect(await saveSnippet(name, "Words")).toBe("23514");
    for (const body of ["", "x".repeat(5_001)]) expect(await saveSnippet("Name", body)).toBe("23514");
  });

  it("reports the median answer time and the share in time by month, for thirteen months", async () => {
    // The third still has time, the fourth is late, and the answer time of the last is unknown.
    await backend.sql("delete from public.contact_submissions returning 1 as ok");
    await fillInbox(backend, 8, {
      name: "(array['quick', 'slow', 'waits', 'late', 'spam', 'held', 'frozen', 'earlier'])[n]",
      state: "(array['done', 'done', 'new', 'in_progress', 'spam', 'new', 'new', 'done'])[n]",
      quarantine_reason: "case when n = 6 then 'honeypot' end",
      frozen_at: "case when n = 7 then now() end",
    });
    await backend.sql(
      `update public.contact_submissions set
         created_at = now(),
         answered_at = case name when 'quick' then now() + interval '2 hours' when 'slow' then now() + interval '30 hours' end,
         answer_due_at = case when name = 'late' then now() - interval '1 hour' else answer_due_at end
       returning 1 as ok`,
    );
    const [now] = await backend.sql<{ month: string }>("select to_char(now() at time zone 'UTC', 'YYYY-MM') as month");
    expect(await admin.call("answer_times")).toEqual([
      { ...now, messages: 4, answered: 2, median_seconds: 16 * 60 * 60, in_time: 1, judged: 3 },
    ]);
    await backend.sql(
      "update public.contact_submissions set created_at = created_at - interval '2 years' returning 1 as ok",
    );
    expect(await admin.call("answer_times")).toEqual([]);
  });
});
