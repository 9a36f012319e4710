import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { replyWithinHours } from "~/content/company";
import { takeFirmMails as takeMails } from "../support/firm-mails.ts";
import type { MailServer } from "../support/mail-server.ts";
import { newMessage, type Site } from "../support/site.ts";
import { startSiteWithMail } from "../support/site-with-mail.ts";

let site: Site;
let mailServer: MailServer;

beforeAll(async () => {
  ({ site, mailServer } = await startSiteWithMail());
});
beforeEach(async () => {
  await site.sql("delete from public.contact_submissions");
  mailServer.received.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
  site.settings.MAIL_CONTENT = undefined;
  site.settings.REPLY_DAYS = undefined;
  site.settings.REPLY_WITHIN_HOURS = undefined;
  site.settings.TIME_ZONE = undefined;
});
afterAll(() => site?.close());

const takeFirmMails = () => takeMails(site, mailServer);

/** Shifts the stored times as if this many hours had passed. */
async function letPass(hours: number) {
  await site.sql(
    `update public.contact_submissions
     set created_at = created_at - $1 * interval '1 hour', answer_due_at = answer_due_at - $1 * interval '1 hour'`,
    [hours],
  );
}

const tokenIn = (text: string) => /https:\/\/firm\.example\/answered\?token=([\w-]{43})\n/.exec(text)?.[1] ?? "";

async function readState() {
  const [row] = await site.sql<{ state: string; answered: boolean }>(
    "select state, answered_at is not null as answered from public.contact_submissions",
  );
  return row;
}

describe("a message that awaits a reply", () => {
  it("triggers a notice when 6 hours are left, another when late, and then no more", async () => {
    await site.call("send-contact-email", newMessage());
    const [first] = await takeFirmMails();
    expect(first!.subject).toBe("Message from Ada Lovelace, Analytical Engines Ltd (Growth-stage company)");

    await letPass(replyWithinHours - 6.1);
    expect(await takeFirmMails()).toEqual([]);
    await letPass(0.2);
    const [soon, ...others] = await takeFirmMails();
    expect(others).toEqual([]);
    expect(soon).toMatchObject({
      subject: "Reply soon: message from Ada Lovelace, Analytical Engines Ltd (Growth-stage company)",
      replyTo: "ada@example.com",
    });
    expect(soon!.text).toContain("Goal: Grow with less risk");
    expect(soon!.text).toMatch(/is due on \w+, \w+ \d+ at \d+:\d\d [AP]M UTC/);

    await letPass(6);
    const late = await takeFirmMails();
    expect(late.map(({ subject }) => subject)).toEqual([
      "Late: message from Ada Lovelace, Analytical Engines Ltd (Growth-stage company)",
    ]);
    await letPass(240);
    expect(await takeFirmMails()).toEqual([]);

    const tokens = [first!, soon!, late[0]!].map(({ text }) => tokenIn(text));
    expect(new Set(tokens).size).toBe(3);
    const copies = await site.sql<{ body: string }>("select body from private.email_outbox where kind = 'firm'");
    expect(copies).toHaveLength(3);
    for (const { body } of copies) expect(body).toContain("token=(removed)");
    expect(site.events.filter(({ event }) => event === "firm-notices-not-queued")).toEqual([]);
  });

  it("triggers only the late notice when the first one was missed", async () => {
    await site.call("send-contact-email", newMessage());
    await takeFirmMails();
    await letPass(30);
    expect((await takeFirmMails()).map(({ subject }) => subject.split(":")[0])).toEqual(["Late"]);
  });

  it.each(["answered", "spam", "held back", "restricted"])("triggers no notice once it is %s", async (how) => {
    await site.call("send-contact-email", newMessage());
    const [first] = await takeFirmMails();
    if (how === "answered")
      await site
        .client()
        .rpc("mark_answered", { token: tokenIn(first!.text) })
        .throwOnError();
    if (how === "spam") await site.sql("update public.contact_submissions set state = 'spam'");
    if (how === "held back") await site.sql("update public.contact_submissions set quarantine_reason = 'honeypot'");
    if (how === "restricted") await site.sql("update public.contact_submissions set frozen_at = now()");
    await letPass(30);
    expect(await takeFirmMails()).toEqual([]);
  });

  it("is identified only by its reference with MAIL_CONTENT=notice", async () => {
    site.settings.MAIL_CONTENT = "notice";
    await site.call("send-contact-email", newMessage());
    await takeFirmMails();
    await letPass(30);
    const [late] = await takeFirmMails();
    expect(late!.subject).toMatch(/^Late: message [0-9a-f]{8}$/);
    expect(late!.replyTo).toBeUndefined();
    expect(late!.text).not.toMatch(/Ada|ada@|Engines|Grow with/);
    expect(tokenIn(late!.text)).not.toBe("");
  });

  it("is due on the next business day with REPLY_DAYS=business, as its acknowledgement says", async () => {
    site.settings.REPLY_DAYS = "business";
    site.settings.TIME_ZONE = "America/New_York";
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T22:00:00Z") });
    await site.call("send-contact-email", newMessage());
    const [row] = await site.sql<{ due: string }>(
      "select to_char(answer_due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as due from public.contact_submissions",
    );
    expect(row!.due).toBe("2026-11-23 22:00");
    await site.finishBackgroundWork();
    const sent = mailServer.received.find(({ recipients }) => recipients.includes("ada@example.com"))!;
    expect(sent.content.text).toContain(
      "will reply within 24 hours on business days (Monday to Friday), to this address.",
    );
  });
});

it.each([
  ["48", "2026-11-25 10:00", "within 48 hours,"],
  // Function secrets are not validated.
  ["soon", "2026-11-24 10:00", "within 24 hours,"],
])("computes and states the deadline with REPLY_WITHIN_HOURS=%s", async (hours, due, words) => {
  site.settings.REPLY_WITHIN_HOURS = hours;
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-23T10:00:00Z") });
  await site.call("send-contact-email", newMessage());
  const [row] = await site.sql<{ due: string }>(
    "select to_char(answer_due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as due from public.contact_submissions",
  );
  expect(row!.due).toBe(due);
  await site.finishBackgroundWork();
  const sent = mailServer.received.find(({ recipients }) => recipients.includes("ada@example.com"))!;
  expect(sent.content.text).toContain(`will reply ${words}`);
});

describe("the answered link in the firm's mail", () => {
  it("marks the message once, without an actor, and rejects other tokens", async () => {
    await site.call("send-contact-email", newMessage());
    const [mail] = await takeFirmMails();
    const token = tokenIn(mail!.text);
    const shown = await site.client().rpc("find_answer_link", { token }).throwOnError();
    expect(shown.data).toEqual([
      { reference: expect.stringMatching(/^[0-9a-f]{8}$/), received_at: expect.any(String), answered_at: null },
    ]);
    expect(await readState()).toEqual({ state: "new", answered: false });
    const marked = await site.client().rpc("mark_answered", { token }).throwOnError();
    expect(await readState()).toEqual({ state: "done", answered: true });
    expect((await site.client().rpc("mark_answered", { token }).throwOnError()).data).toEqual(marked.data);
    const log = await site.sql<{ actor: string | null }>(
      "select actor from public.admin_events where action = 'submission-answered-by-link'",
    );
    expect(log.at(-1)).toEqual({ actor: null });
    await site.sql(
      "update public.contact_submissions set answered_at = answered_at - interval '30 days' returning 1 as ok",
    );
    expect((await site.client().rpc("find_answer_link", { token }).throwOnError()).data).toEqual([]);
    for (const wrong of [token.slice(1), `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`, "", null])
      expect((await site.client().rpc("mark_answered", { token: wrong }).throwOnError()).data).toEqual([]);
  });
});
