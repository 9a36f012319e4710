import { describe, expect, it, vi } from "vitest";
import { replyWithinHours } from "~/content/company";
import { newMessage } from "../support/site.ts";
import { useWorld } from "../support/world.ts";

const world = useWorld();

const sender = "Ada Lovelace, Analytical Engines Ltd (Growth-stage company)";

/** Receives a message and returns the firm's mail about it. */
async function receive() {
  await world.call("send-contact-email", newMessage());
  const [mail] = await world.takeFirmMails();
  return mail!;
}

/** Shifts the stored times as if this many hours had passed. */
async function letPass(hours: number) {
  await world.sql(
    `update public.contact_submissions
     set created_at = created_at - $1 * interval '1 hour', answer_due_at = answer_due_at - $1 * interval '1 hour'`,
    [hours],
  );
}

const tokenIn = (text: string) => /https:\/\/firm\.example\/answered\?token=([\w-]{43})\n/.exec(text)?.[1] ?? "";

async function callLink(name: "find_answer_link" | "mark_answered", token: string | null) {
  return (await world.client().rpc(name, { token }).throwOnError()).data as unknown[];
}

describe("a message that awaits a reply", () => {
  it("triggers a notice when 6 hours are left, another when late, and then no more", async () => {
    const first = await receive();
    expect(first.subject).toBe(`Message from ${sender}`);
    await letPass(replyWithinHours - 6.1);
    expect(await world.takeFirmMails()).toEqual([]);
    await letPass(0.2);
    const [soon, ...others] = await world.takeFirmMails();
    expect([soon, others]).toMatchObject([
      { subject: `Reply soon: message from ${sender}`, replyTo: "ada@example.com" },
      [],
    ]);
    expect(soon!.text).toContain("Goal: Grow with less risk");
    expect(soon!.text).toMatch(/is due on \w+, \w+ \d+ at \d+:\d\d [AP]M UTC/);
    await letPass(6);
    const late = await world.takeFirmMails();
    expect(late.map(({ subject }) => subject)).toEqual([`Late: message from ${sender}`]);
    await letPass(240);
    expect(await world.takeFirmMails()).toEqual([]);

    expect(new Set([first, soon!, late[0]!].map(({ text }) => tokenIn(text))).size).toBe(3);
    const copies = await world.sql<{ body: string }>("select body from private.email_outbox where kind = 'firm'");
    expect(copies).toHaveLength(3);
    for (const { body } of copies) expect(body).toContain("token=(removed)");
  });

  it.each<[string, (text: string) => Promise<unknown>]>([
    ["answered", (text) => callLink("mark_answered", tokenIn(text))],
    ["spam", () => world.sql("update public.contact_submissions set state = 'spam'")],
    ["held back", () => world.sql("update public.contact_submissions set quarantine_reason = 'honeypot'")],
    ["restricted", () => world.sql("update public.contact_submissions set frozen_at = now()")],
  ])("triggers no notice once it is %s", async (_state, change) => {
    await change((await receive()).text);
    await letPass(30);
    expect(await world.takeFirmMails()).toEqual([]);
  });

  it("is identified only by its reference with MAIL_CONTENT=notice, and is only late if the first notice was missed", async () => {
    world.settings.MAIL_CONTENT = "notice";
    await receive();
    await letPass(30);
    const [late, ...others] = await world.takeFirmMails();
    expect(others).toEqual([]);
    expect(late!.subject).toMatch(/^Late: message [0-9a-f]{8}$/);
    expect(late!.replyTo).toBeUndefined();
    expect(late!.text).not.toMatch(/Ada|ada@|Engines|Grow with/);
    expect(tokenIn(late!.text)).not.toBe("");
  });

  it.each([
    [{ REPLY_WITHIN_HOURS: "48" }, "2026-11-22 22:00", "within 48 hours, by Sunday, November 22 at 10:00 PM UTC,"],
    // Function secrets are not validated.
    [
      { REPLY_WITHIN_HOURS: "soon", TIME_ZONE: "Moon" },
      "2026-11-21 22:00",
      "within 24 hours, by Saturday, November 21 at 10:00 PM UTC,",
    ],
    [
      { REPLY_DAYS: "business", TIME_ZONE: "America/New_York" },
      "2026-11-23 22:00",
      "within 24 hours on business days (Monday to Friday), by Monday, November 23 at 5:00 PM EST,",
    ],
  ])("is due by the settings %j at %s, as its acknowledgement says", async (settings, due, words) => {
    Object.assign(world.settings, settings);
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T22:00:00Z") });
    await world.call("send-contact-email", newMessage());
    const stored = `select to_char(answer_due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as due
                    from public.contact_submissions`;
    expect(await world.sql(stored)).toEqual([{ due }]);
    const [mail] = await world.takeMails("ada@example.com");
    expect(mail!.text).toContain(`will reply ${words} to this address.`);
  });
});

describe("the answered link in the firm's mail", () => {
  it("marks the message once, without an actor, and rejects other tokens", async () => {
    const token = tokenIn((await receive()).text);
    const readState = () =>
      world.sql("select state, answered_at is not null as answered from public.contact_submissions");
    expect(await callLink("find_answer_link", token)).toEqual([
      { reference: expect.stringMatching(/^[0-9a-f]{8}$/), received_at: expect.any(String), answered_at: null },
    ]);
    expect(await readState()).toEqual([{ state: "new", answered: false }]);
    const marked = await callLink("mark_answered", token);
    expect(await readState()).toEqual([{ state: "done", answered: true }]);
    expect(await callLink("mark_answered", token)).toEqual(marked);
    const log = await world.sql<{ actor: string | null }>(
      "select actor from public.admin_events where action = 'submission-answered-by-link'",
    );
    expect(log.at(-1)).toEqual({ actor: null });
    await world.sql("update public.contact_submissions set answered_at = answered_at - interval '30 days'");
    expect(await callLink("find_answer_link", token)).toEqual([]);
    for (const wrong of [token.slice(1), `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`, "", null])
      expect(await callLink("mark_answered", wrong)).toEqual([]);
  });
});
