import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sampleMail } from "../../database/support/data-rights.ts";
import { signInAdmin } from "../../database/support/test-backend.ts";
import { headerOf, type MailServer } from "../support/mail-server.ts";
import { newMessage, newRequest, type Site } from "../support/site.ts";
import { startSiteWithMail } from "../support/site-with-mail.ts";

let site: Site;
let mailServer: MailServer;
let admin: SupabaseClient;

beforeAll(async () => {
  ({ site, mailServer } = await startSiteWithMail());
  admin = site.client((await signInAdmin(site)).token);
});
beforeEach(async () => {
  await site.finishBackgroundWork();
  mailServer.refuse("everybody", null);
  await site.sql("delete from public.contact_submissions");
  await site.sql("delete from private.email_outbox");
  mailServer.received.length = 0;
  site.events.length = 0;
});
afterAll(() => site?.close());

async function call<Data = never>(name: string, parameters: Record<string, unknown> = {}): Promise<Data> {
  return (await admin.rpc(name, parameters).throwOnError()).data as Data;
}

async function deliver() {
  await site.skipPauses();
  await site.deliver();
}

/** Receives a message, delivers its mails and replies to it. @returns ids of the message and of the reply's mail */
async function replyTo(email: string) {
  await site.call("send-contact-email", newMessage({ email }));
  await site.finishBackgroundWork();
  const [{ id } = { id: "" }] = await site.sql<{ id: string }>(
    "select id from public.contact_submissions where email = $1",
    [email],
  );
  const mail_id = randomUUID();
  const mail = { subject: "Re: Received", quotation: "> Please call me." };
  await call("send_reply", { submission_id: id, reply_id: mail_id, reply: "We can.", mail });
  return { submission_id: id, mail_id };
}

const find = (id: string) => call<Record<string, unknown>>("find_submission", { submission_id: id });
const countAnswered = async () =>
  (await call<{ answered: number }[]>("answer_times")).reduce((sum, { answered }) => sum + answered, 0);
const mailsTo = (address: string) => mailServer.received.filter(({ recipients }) => recipients.includes(address));
const repliesTo = (address: string) => mailsTo(address).filter(({ content }) => content.subject?.startsWith("Re: "));

describe("a reply whose mailbox refuses it", () => {
  it("reopens its message with the reason, tells the firm, and counts once it was handed over", async () => {
    const first = await replyTo("later@example.com");
    const { submission_id, mail_id } = await replyTo("gone@example.com");
    mailServer.refuse("gone@example.com", 550, "5.1.1 No such user");
    expect(await find(submission_id)).toMatchObject({ state: "done", answered_at: null });
    await deliver();
    expect(await countAnswered()).toBe(1);
    expect(await find(first.submission_id)).toMatchObject({ state: "done", answered_at: expect.any(String) });
    expect(await find(submission_id)).toMatchObject({
      state: "in_progress",
      answered_at: null,
      undelivered_at: expect.any(String),
      undelivered: [
        { id: mail_id, kind: "reply", code: "smtp-550-5-1-1 550 5.1.1 No such user", recipient: "gone@example.com" },
      ],
      events: [{ action: "submission-replied" }, { action: "submission-undelivered", by: null }],
    });

    await site.deliver();
    const notices = mailsTo("hello@firm.example").filter(({ content }) => content.subject?.startsWith("Not delivered"));
    expect(notices).toHaveLength(1);
    expect(notices[0]!.content.text).toContain(
      "was not delivered: The mailbox does not exist (“550 5.1.1 No such user”).",
    );
    expect(notices[0]!.content.text).toContain(`https://firm.example/admin/messages/${submission_id}`);

    mailServer.refuse("gone@example.com", null);
    expect(await call("resend_message_mail", { submission_id, mail_id })).toBe(true);
    expect(await call("resend_message_mail", { submission_id, mail_id })).toBe(false);
    expect(await find(submission_id)).toMatchObject({ state: "done", answered_at: null, undelivered_at: null });
    await deliver();
    await deliver();
    expect(await call("resend_message_mail", { submission_id, mail_id })).toBe(false);
    expect(repliesTo("gone@example.com").map(({ content }) => headerOf(content, "message-id"))).toEqual([
      `<${mail_id}@firm.example>`,
    ]);
    expect(await find(submission_id)).toMatchObject({ state: "done", answered_at: expect.any(String) });
    expect(await countAnswered()).toBe(2);
  });

  it("goes to the corrected address, which replaces the sender's and is logged without it", async () => {
    const { submission_id, mail_id } = await replyTo("ada@gone.example");
    mailServer.refuse("ada@gone.example", 550, "5.1.1 No such user");
    await deliver();
    const correct = (address: string) =>
      admin
        .rpc("resend_message_mail", { submission_id, mail_id, address })
        .then(({ error, data }) => error?.code ?? data);
    expect(await correct("ada@nowhere")).toBe("23514");
    expect(await correct(" ada@here.example ")).toBe(true);
    await deliver();
    expect(repliesTo("ada@here.example")).toHaveLength(1);
    const found = await find(submission_id);
    expect(found).toMatchObject({ email: "ada@here.example", state: "done", answered_at: expect.any(String) });
    expect((found.events as { action: string }[]).map(({ action }) => action)).toEqual([
      "submission-replied",
      "submission-undelivered",
      "submission-address-corrected",
      "submission-resent",
    ]);
    const [log] = await site.sql<{ text: string }>(
      "select jsonb_agg(to_jsonb(event))::text as text from public.admin_events as event",
    );
    expect(log!.text).not.toContain("here.example");
  });

  it("keeps its message answered if a later reply was handed over", async () => {
    const { submission_id, mail_id } = await replyTo("busy@example.com");
    mailServer.refuse("busy@example.com", 451);
    await deliver();
    mailServer.refuse("busy@example.com", null);
    const mail = { subject: "Re: Received", quotation: "> Please call me." };
    await call("send_reply", { submission_id, reply_id: randomUUID(), reply: "Again.", mail });
    await site.deliver();
    mailServer.refuse("busy@example.com", 550);
    await deliver();
    expect(
      await site.sql("select gave_up_at is not null as is_given_up from private.email_outbox where id = $1", [mail_id]),
    ).toEqual([{ is_given_up: true }]);
    expect(await find(submission_id)).toMatchObject({ state: "done", undelivered_at: null });
    mailServer.refuse("busy@example.com", null);
  });
});

describe("a mail server that refuses everybody", () => {
  it("makes mail wait, reopens nothing and counts nothing; each mail is sent once after it was mended", async () => {
    mailServer.refuse("everybody", 554, "5.7.1 Relay access denied");
    const people = ["one@example.com", "two@example.com"];
    await site.call(
      "receive-data-rights-request",
      newRequest({ email: "three@example.com", requestType: "complaint" }),
    );
    await site.finishBackgroundWork();
    const [{ id: request_id } = { id: "" }] = await site.sql<{ id: string }>(
      "select id from public.data_rights_requests where email = 'three@example.com'",
    );
    await call("take_request_step", { step: "outcome", request_id, note: "Looked into", mail: sampleMail });
    await call("invite_admin", { email: "four@example.com", token_hash: "4".repeat(64), mail: sampleMail });
    const replies: { submission_id: string }[] = [];
    for (const email of people) replies.push(await replyTo(email));

    const expectWaiting = async () => {
      expect(await site.sql("select 1 from private.email_outbox where gave_up_at is not null")).toEqual([]);
      for (const { submission_id } of replies)
        expect(await find(submission_id)).toMatchObject({ state: "done", answered_at: null, undelivered_at: null });
      expect(await call("find_request", { request_id })).toMatchObject({ state: "completed", undelivered_at: null });
      expect(await countAnswered()).toBe(0);
    };
    await deliver();
    await expectWaiting();
    const { undelivered, waiting } =
      await call<Record<"undelivered" | "waiting", { code: string }[]>>("list_undelivered");
    expect(undelivered).toEqual([]);
    expect(waiting.length).toBeGreaterThanOrEqual(4);
    expect(new Set(waiting.map(({ code }) => code))).toEqual(new Set(["smtp-554-5-7-1 554 5.7.1 Relay access denied"]));

    mailServer.refuse("everybody", 550, "Unknown");
    await deliver();
    await expectWaiting();
    mailServer.refuse("everybody", null);
    mailServer.hang(true);
    await site.skipPauses();
    const hanging = site.deliver();
    await expect.poll(() => mailServer.hang(true)).toBeGreaterThanOrEqual(4);
    await expectWaiting();
    mailServer.hang(false);
    await hanging;

    await deliver();
    await deliver();
    const ids = mailServer.received.map(({ content }) => content.messageId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const email of people) expect(repliesTo(email)).toHaveLength(1);
    // The acknowledgement of the complaint and its outcome; the invitation.
    expect(["three@example.com", "four@example.com"].map((email) => mailsTo(email).length)).toEqual([2, 1]);
    expect(await countAnswered()).toBe(2);
  }, 60_000);

  it("makes mail wait after replies that name the sender or a policy", async () => {
    const { submission_id } = await replyTo("five@example.com");
    for (const reply of ["5.7.1 Sender is on a block list", "relay not permitted", "5.1.8 Bad sender"]) {
      mailServer.refuse("everybody", 550, reply);
      await deliver();
      const { state, undelivered } = await find(submission_id);
      expect([state, (undelivered as { gave_up_at: unknown }[])[0]?.gave_up_at]).toEqual(["done", null]);
    }
  });
});

describe("an answer to a data rights request whose mailbox refuses it", () => {
  it("reopens the request first in its list, and closes it again when it is sent to a corrected address", async () => {
    await site.sql("delete from public.data_rights_requests where email = 'other@example.com'");
    for (const email of ["urgent@example.com", "lost@example.com"])
      await site.call("receive-data-rights-request", newRequest({ email, requestType: "complaint" }));
    await site.finishBackgroundWork();
    await site.sql("update public.data_rights_requests set due_on = due_on - 40 where email = 'urgent@example.com'");
    const [{ id: request_id } = { id: "" }] = await site.sql<{ id: string }>(
      "select id from public.data_rights_requests where email = 'lost@example.com'",
    );
    mailServer.refuse("lost@example.com", 552, "5.2.2 Mailbox full");
    await call("take_request_step", { step: "outcome", request_id, note: "Looked into", mail: sampleMail });
    await deliver();
    const found = await call<Record<string, unknown> & { mails: { id: string; kind: string }[] }>("find_request", {
      request_id,
    });
    expect(found).toMatchObject({
      state: "in_progress",
      closed_at: null,
      refusal: "smtp-552-5-2-2 552 5.2.2 Mailbox full",
    });
    const { page } = await call<{ page: { rows: { id: string }[] } }>("read_requests");
    expect(page.rows[0]!.id).toBe(request_id);

    const mail_id = found.mails.find(({ kind }) => kind === "request-answer")!.id;
    expect(await call("resend_answer", { request_id, mail_id, address: "new@example.com" })).toBe(true);
    expect(await call("resend_answer", { request_id, mail_id, address: "new@example.com" })).toBe(false);
    await deliver();
    expect(mailsTo("new@example.com")).toHaveLength(1);
    const closed = await call<{ events: { action: string }[] }>("find_request", { request_id });
    expect(closed).toMatchObject({ state: "completed", email: "lost@example.com", mail_to: "new@example.com" });
    expect(closed.events.map(({ action }) => action).slice(-4)).toEqual([
      "completed",
      "undelivered",
      "address-corrected",
      "answer-resent",
    ]);
  });
});

describe("an invitation whose mailbox refuses it", () => {
  it("says why it was not delivered, and is sent again with a new link", async () => {
    mailServer.refuse("six@example.com", 550, "5.1.1 No such user");
    await call("invite_admin", { email: "six@example.com", token_hash: "6".repeat(64), mail: sampleMail });
    await deliver();
    type People = { invitations: { id: string; email: string; undelivered: unknown }[] };
    const read = async () => (await call<People>("read_people")).invitations;
    const [refused] = (await read()).filter(({ email }) => email === "six@example.com");
    expect(refused!.undelivered).toEqual({ id: expect.any(String), code: "smtp-550-5-1-1 550 5.1.1 No such user" });
    const invitation = {
      replaced_invitation: refused!.id,
      email: "seven@example.com",
      token_hash: "7".repeat(64),
      mail: sampleMail,
    };
    await call("invite_admin", invitation);
    await deliver();
    expect(mailsTo("seven@example.com")).toHaveLength(1);
    const invitations = await read();
    expect(invitations.map(({ email }) => email)).not.toContain("six@example.com");
    expect(invitations.find(({ email }) => email === "seven@example.com")).toMatchObject({ undelivered: null });
  });
});

it("lists undelivered mail in the digest by reference, with a link to the list", async () => {
  const { submission_id } = await replyTo("eight@example.com");
  mailServer.refuse("eight@example.com", 550, "5.1.1 No such user");
  await deliver();
  const [{ digest } = { digest: {} }] = await site.sql<{ digest: Record<string, unknown> }>(
    "select private.describe_digest() as digest",
  );
  expect(digest.undelivered).toContainEqual({ kind: "reply", reference: submission_id.slice(0, 8) });
});
