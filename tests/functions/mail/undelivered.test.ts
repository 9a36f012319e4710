import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { call as callForCode } from "../../database/support/admin.ts";
import { sampleMail } from "../../database/support/data-rights.ts";
import { newRequest } from "../support/site.ts";
import { firm, useWorld } from "../support/world.ts";

const world = useWorld();

async function call<Data = never>(name: string, parameters: Record<string, unknown> = {}): Promise<Data> {
  return (await world.admin.rpc(name, parameters).throwOnError()).data as Data;
}

async function deliver() {
  await world.skipPauses();
  await world.deliver();
}

const reply = (submission_id: string, reply_id: string) =>
  call("send_reply", {
    submission_id,
    reply_id,
    reply: "We can.",
    mail: { subject: "Re: Received", quotation: "> Please call me." },
  });

/** Receives a message, delivers its mails and replies to it. @returns ids of the message and of the reply's mail */
async function replyTo(email: string) {
  const submission_id = await world.receive({ email });
  const mail_id = randomUUID();
  await reply(submission_id, mail_id);
  return { submission_id, mail_id };
}

/** Receives a complaint from each address. @returns the id of the last */
async function complain(...emails: string[]): Promise<string> {
  for (const email of emails)
    await world.call("receive-data-rights-request", newRequest({ email, requestType: "complaint" }));
  await world.finishBackgroundWork();
  const found = "select id from public.data_rights_requests where email = $1";
  const [{ id } = { id: "" }] = await world.sql<{ id: string }>(found, [emails.at(-1)]);
  return id;
}
const closeComplaint = (request_id: string) =>
  call("take_request_step", { step: "outcome", request_id, note: "Looked into", mail: sampleMail });

const invite = (email: string, digit: string, replaced_invitation?: string) =>
  call("invite_admin", { email, token_hash: digit.repeat(64), mail: sampleMail, replaced_invitation });

const find = (id: string) => call<Record<string, unknown>>("find_submission", { submission_id: id });
const mailsTo = (address: string) =>
  world.mailServer.received.filter(({ recipients }) => recipients.includes(address)).map(({ content }) => content);
const repliesTo = (address: string) => mailsTo(address).filter(({ subject }) => subject?.startsWith("Re: "));
const actionsOf = ({ events }: Record<string, unknown>) => (events as { action: string }[]).map(({ action }) => action);

describe("a reply whose mailbox refuses it", () => {
  it("reopens its message with the reason, tells the firm, and is answered once it was handed over", async () => {
    const { submission_id, mail_id } = await replyTo("gone@example.com");
    world.mailServer.refuse("gone@example.com", 550, "5.1.1 No such user");
    await deliver();
    const code = "smtp-550-5-1-1 550 5.1.1 No such user";
    expect(await find(submission_id)).toMatchObject({
      state: "in_progress",
      answered_at: null,
      undelivered_at: expect.any(String),
      undelivered: [{ id: mail_id, kind: "reply", code, recipient: "gone@example.com" }],
      events: [{ action: "submission-replied" }, { action: "submission-undelivered", by: null }],
    });
    const [row] = await world.sql<{ digest: object }>("select private.describe_digest() as digest");
    expect(row!.digest).toMatchObject({ undelivered: [{ kind: "reply", reference: submission_id.slice(0, 8) }] });

    await world.deliver();
    const [notice, ...others] = mailsTo(firm).filter(({ subject }) => subject?.startsWith("Not delivered"));
    expect(others).toEqual([]);
    const reason = "was not delivered: The mailbox does not exist (“550 5.1.1 No such user”).";
    expect(notice!.text).toContain(reason);
    expect(notice!.text).toContain(`https://firm.example/admin/messages/${submission_id}`);

    world.mailServer.refuse("gone@example.com", null);
    const resend = () => call("resend_message_mail", { submission_id, mail_id });
    expect([await resend(), await resend()]).toEqual([true, false]);
    expect(await find(submission_id)).toMatchObject({ state: "done", answered_at: null, undelivered_at: null });
    await deliver();
    await deliver();
    expect(await resend()).toBe(false);
    expect(repliesTo("gone@example.com")).toHaveLength(1);
    expect(await find(submission_id)).toMatchObject({ state: "done", answered_at: expect.any(String) });
  });

  it("goes to the corrected address, which replaces the sender's and is logged without it", async () => {
    world.mailServer.refuse("ada@gone.example", 550, "5.1.1 No such user");
    const { submission_id, mail_id } = await replyTo("ada@gone.example");
    await deliver();
    expect((await find(submission_id)).undelivered).toHaveLength(2);
    const correct = (address: string) =>
      callForCode(world.admin, "resend_message_mail", { submission_id, mail_id, address });
    expect(await correct("ada@nowhere")).toBe("23514");
    expect(await correct(" ada@here.example ")).toBe(true);
    await deliver();
    // The acknowledgement goes there, too.
    expect(mailsTo("ada@here.example")).toHaveLength(2);
    expect(repliesTo("ada@here.example")).toHaveLength(1);
    const found = await find(submission_id);
    expect(found).toMatchObject({ email: "ada@here.example", state: "done", answered_at: expect.any(String) });
    expect(actionsOf(found)).toEqual([
      "submission-replied",
      "submission-undelivered",
      "submission-address-corrected",
      "submission-resent",
    ]);
    const log = await world.sql("select to_jsonb(event) from public.admin_events as event");
    expect(JSON.stringify(log)).not.toContain("here.example");
  });

  it("keeps its message answered if a later reply was handed over", async () => {
    const { submission_id, mail_id } = await replyTo("busy@example.com");
    world.mailServer.refuse("busy@example.com", 451);
    await deliver();
    world.mailServer.refuse("busy@example.com", null);
    await reply(submission_id, randomUUID());
    await world.deliver();
    world.mailServer.refuse("busy@example.com", 550);
    await deliver();
    const ended = "select 1 from private.email_outbox where id = $1 and gave_up_at is not null";
    expect(await world.sql(ended, [mail_id])).toHaveLength(1);
    expect(await find(submission_id)).toMatchObject({ state: "done", undelivered_at: null });
  });
});

describe("a mail server that refuses everybody", () => {
  it("makes mail wait and reopens nothing; each mail is sent once after it was mended", async () => {
    world.mailServer.refuse("everybody", 554, "5.7.1 Relay access denied");
    const people = ["one@example.com", "two@example.com"];
    const request_id = await complain("three@example.com");
    await closeComplaint(request_id);
    await invite("four@example.com", "4");
    const replies: { submission_id: string }[] = [];
    for (const email of people) replies.push(await replyTo(email));

    const expectWaiting = async () => {
      expect(await world.sql("select 1 from private.email_outbox where gave_up_at is not null")).toEqual([]);
      for (const { submission_id } of replies)
        expect(await find(submission_id)).toMatchObject({ state: "done", answered_at: null, undelivered_at: null });
      expect(await call("find_request", { request_id })).toMatchObject({ state: "completed", undelivered_at: null });
    };
    await deliver();
    await expectWaiting();
    const { undelivered, waiting } =
      await call<Record<"undelivered" | "waiting", { code: string }[]>>("list_undelivered");
    expect(undelivered).toEqual([]);
    expect(waiting.length).toBeGreaterThanOrEqual(4);
    expect(new Set(waiting.map(({ code }) => code))).toEqual(new Set(["smtp-554-5-7-1 554 5.7.1 Relay access denied"]));

    world.mailServer.refuse("everybody", 550, "Unknown");
    await deliver();
    await expectWaiting();
    world.mailServer.refuse("everybody", null);
    await deliver();
    await deliver();
    const ids = world.mailServer.received.map(({ content }) => content.messageId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const email of people) expect(repliesTo(email)).toHaveLength(1);
    // The acknowledgement of the complaint and its outcome; the invitation.
    expect(["three@example.com", "four@example.com"].map((email) => mailsTo(email).length)).toEqual([2, 1]);
  }, 60_000);
});

describe("an answer to a data rights request whose mailbox refuses it", () => {
  it("reopens the request first in its list, and closes it again when it is sent to a corrected address", async () => {
    const request_id = await complain("urgent@example.com", "lost@example.com");
    await world.sql("update public.data_rights_requests set due_on = due_on - 40 where email = 'urgent@example.com'");
    world.mailServer.refuse("lost@example.com", 552, "5.2.2 Mailbox full");
    await closeComplaint(request_id);
    await deliver();
    type Found = Record<string, unknown> & { mails: { id: string; kind: string }[] };
    const found = await call<Found>("find_request", { request_id });
    const refusal = "smtp-552-5-2-2 552 5.2.2 Mailbox full";
    expect(found).toMatchObject({ state: "in_progress", closed_at: null, refusal });
    const { page } = await call<{ page: { rows: { id: string }[] } }>("read_requests");
    expect(page.rows[0]!.id).toBe(request_id);

    const mail_id = found.mails.find(({ kind }) => kind === "request-answer")!.id;
    const resend = () => call("resend_answer", { request_id, mail_id, address: "new@example.com" });
    expect([await resend(), await resend()]).toEqual([true, false]);
    await deliver();
    expect(mailsTo("new@example.com")).toHaveLength(1);
    const closed = await call<Record<string, unknown>>("find_request", { request_id });
    expect(closed).toMatchObject({ state: "completed", email: "lost@example.com", mail_to: "new@example.com" });
    expect(actionsOf(closed).slice(-4)).toEqual(["completed", "undelivered", "address-corrected", "answer-resent"]);
  });
});

describe("an invitation whose mailbox refuses it", () => {
  it("says why it was not delivered, and is sent again with a new link", async () => {
    type Invitation = { id: string; email: string; undelivered: unknown };
    const read = async () => (await call<{ invitations: Invitation[] }>("read_people")).invitations;
    world.mailServer.refuse("gone@example.com", 550, "5.1.1 No such user");
    await invite("gone@example.com", "6");
    await deliver();
    const refused = (await read()).find(({ email }) => email === "gone@example.com")!;
    expect(refused.undelivered).toEqual({ id: expect.any(String), code: "smtp-550-5-1-1 550 5.1.1 No such user" });
    await invite("here@example.com", "7", refused.id);
    await deliver();
    expect(mailsTo("here@example.com")).toHaveLength(1);
    const invitations = await read();
    expect(invitations.map(({ email }) => email)).not.toContain("gone@example.com");
    expect(invitations.find(({ email }) => email === "here@example.com")).toMatchObject({ undelivered: null });
  });
});
