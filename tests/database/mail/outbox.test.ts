import { beforeEach, expect, it } from "vitest";
import { call, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { claimMails, type ClaimedMail, makeMailsDue, settleMail } from "../support/mail.ts";
import { ago, setRows } from "../support/retention.ts";

eachBackend("outbox", (backend) => {
  const admin = useAdmin(backend);

  beforeEach(() => backend.exec("delete from private.email_outbox"));

  const claim = () => claimMails(backend);
  const settle = async (mail: ClaimedMail, outcome: string, code: string | null = null, more = {}) =>
    (await settleMail(backend, mail, outcome, code, more)).error?.code ?? null;
  const change = (mail: ClaimedMail, assignments: string) =>
    setRows(backend, "private.email_outbox", mail.id, assignments);

  /** Queues two mails and claims the one of this kind. */
  async function claimOne(kind: string): Promise<ClaimedMail> {
    await receive(backend.service).throwOnError();
    return (await claim()).find((mail) => mail.kind === kind)!;
  }

  async function find(mail: ClaimedMail) {
    const [row] = await backend.sql<{ state: string; leased: boolean; pause: number; last_error: string | null }>(
      `select case when delivered_at is not null then 'delivered' when gave_up_at is not null then 'given up'
           else 'waits' end as state,
         leased_until is not null as leased, last_error, extract(epoch from next_attempt_at - now())::float8 as pause
       from private.email_outbox where id = $1`,
      [mail.id],
    );
    return row!;
  }

  it("settles several attempts at once, all or none", async () => {
    await receive(backend.service).throwOnError();
    const [firm, other] = await claim();
    const settleBoth = (outcome: string) => {
      const attempts = [
        { mail_id: firm!.id, outcome: "delivered" },
        { mail_id: other!.id, outcome },
      ];
      return call(backend.service, "settle_mails", { attempts });
    };
    expect(await settleBoth("unknown")).toBe("22023");
    expect(await find(firm!)).toMatchObject({ state: "waits", leased: true });
    expect(await settleBoth("retry")).toBeNull();
    expect(await find(firm!)).toMatchObject({ state: "delivered", leased: false });
    expect(await find(other!)).toMatchObject({ state: "waits", leased: false });
  });

  it("leases each mail to one worker under concurrent claims", async () => {
    for (let i = 0; i < 10; i += 1) await receive(backend.service).throwOnError();
    const batches = await Promise.all(Array.from({ length: 8 }, () => claimMails(backend, { batch_size: 4 })));
    const ids = [...batches.flat(), ...(await claim())].map((mail) => mail.id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
    expect(await claim()).toEqual([]);
  });

  it("hands over everything a worker needs, with the attempt counted", async () => {
    expect(await claimOne("acknowledgement")).toEqual({
      id: expect.any(String),
      kind: "acknowledgement",
      recipient: expect.stringMatching(/@example\.com$/),
      reply_to: null,
      subject: "Received",
      body: "Thank you.",
      thread: [],
      attempts: 1,
      sender_name: null,
      created_at: expect.any(String),
      link: null,
    });
  });

  it("hands out a mail again once its lease has expired, and never once it was delivered", async () => {
    const mail = await claimOne("firm");
    expect(await claim()).toEqual([]);
    await change(mail, "leased_until = now() - interval '1 second'");
    expect(await claim()).toMatchObject([{ id: mail.id, attempts: 2 }]);
    // A late worker reports a retry.
    expect([await settle(mail, "delivered"), await settle(mail, "retry", "smtp-421")]).toEqual([null, null]);
    await makeMailsDue(backend);
    expect(await find(mail)).toMatchObject({ state: "delivered", leased: false, last_error: null });
    expect((await claim()).map(({ id }) => id)).not.toContain(mail.id);
  });

  it.each([
    [1, 15],
    [2, 30],
    [3, 60],
    [6, 480],
    [11, 15_360],
    [12, 21_600],
    [500, 21_600],
  ])("waits after attempt %i for %i seconds and up to a tenth more", async (attempts, seconds) => {
    const mail = await claimOne("firm");
    await change(mail, `attempts = ${attempts}`);
    await settle(mail, "retry", "smtp-etimedout");
    const { pause, ...state } = await find(mail);
    expect(state).toEqual({ state: "waits", leased: false, last_error: "smtp-etimedout" });
    expect(pause).toBeGreaterThan(seconds - 5);
    expect(pause).toBeLessThan(seconds * 1.1 + 1);
    expect(await claim()).toEqual([]);
  });

  it.each([
    ["acknowledgement", "rejected", "smtp-550", "1 hour", "given up", "smtp-550"],
    ["acknowledgement", "retry", "smtp-421", "4 days 23 hours", "waits", "smtp-421"],
    ["acknowledgement", "retry", "smtp-421 421 Later", "5 days 1 hour", "given up", "expired-smtp-421 421 Later"],
    ["acknowledgement", "perhaps", "smtp-perhaps", "1 hour", "given up", "smtp-perhaps"],
    ["firm", "rejected", "smtp-550", "1 hour", "waits", "smtp-550"],
    ["firm", "rejected", "smtp-550", "5 days 1 hour", "given up", "expired-smtp-550"],
    ["firm", "perhaps", "smtp-perhaps", "1 hour", "waits", "smtp-perhaps"],
  ])("settles a mail of kind %s that is %s with %s, first tried %s ago: %s", async (kind, outcome, ...row) => {
    const [code, firstTried, state, last_error] = row;
    const mail = await claimOne(kind);
    await change(mail, `first_attempt_at = ${ago(firstTried)}, created_at = ${ago("1 year")}`);
    expect(await settle(mail, outcome, code)).toBeNull();
    expect(await find(mail)).toMatchObject({ state, last_error });
    await makeMailsDue(backend);
    const again = (await claim()).map(({ id }) => id);
    expect(again.includes(mail.id)).toBe(state === "waits");
  });

  it("tries the firm's mail that may have arrived once more, also after a failure in between", async () => {
    const mail = await claimOne("firm");
    for (const outcome of ["perhaps", "retry", "perhaps"]) {
      expect((await find(mail)).state).toBe("waits");
      await settle(mail, outcome, `smtp-${outcome}`);
    }
    expect(await find(mail)).toMatchObject({ state: "given up", last_error: "smtp-perhaps" });
  });

  it("shows a mail to the firm that was given up until an admin sends it again, which starts its days anew", async () => {
    const list = async () => (await admin.call("list_undelivered")).undelivered;
    const mail = await claimOne("firm");
    await change(mail, `first_attempt_at = ${ago("5 days 1 hour")}`);
    await settle(mail, "rejected", "smtp-550");
    const [{ submission, ...shown }] = await list();
    expect(shown).toMatchObject({ id: mail.id, kind: "firm", code: "expired-smtp-550" });
    const resend = { submission_id: submission.id, mail_id: mail.id };
    await admin.client.rpc("resend_message_mail", resend).throwOnError();
    expect(await claim()).toMatchObject([{ id: mail.id, recipient: null }]);
    await settle(mail, "retry", "smtp-451");
    expect(await find(mail)).toMatchObject({ state: "waits" });
    expect(await list()).toEqual([]);
  });

  it("counts five days from the next attempt where the clock was ahead at the first", async () => {
    const firm = await claimOne("firm");
    await change(firm, "leased_until = null, first_attempt_at = now() + interval '400 days'");
    await claim();
    await change(firm, "first_attempt_at = first_attempt_at - interval '121 hours'");
    await settle(firm, "retry");
    expect(await find(firm)).toMatchObject({ state: "given up" });
  });

  it("waits as long as a busy server asks, without counting the attempt", async () => {
    const mail = await claimOne("firm");
    await settle(mail, "busy", "resend-429", { wait_seconds: 90 });
    expect((await find(mail)).pause).toBeGreaterThan(85);
    await change(mail, "next_attempt_at = now()");
    expect(await claim()).toMatchObject([{ id: mail.id, attempts: 1 }]);
  });

  it("sends the firm's mail to addresses that the server postponed, once and to no others", async () => {
    const mail = await claimOne("firm");
    // The second is a result that is reported twice.
    for (let time = 0; time < 2; time += 1)
      expect(await settle(mail, "delivered", null, { postponed: ["desk@firm.example"] })).toBeNull();
    await backend.exec("update private.email_outbox set next_attempt_at = now()");
    expect(await claim()).toMatchObject([{ kind: "firm", recipient: "desk@firm.example" }]);
  });

  it("rejects addresses, line breaks and long texts in an error", async () => {
    const mail = await claimOne("firm");
    for (const error of ["smtp-550 <ada@example.com> unknown", "smtp-550 No\nway", `smtp-550 ${"x".repeat(350)}`, "No"])
      expect(await settle(mail, "retry", error)).toBe("23514");
  });

  const report = async () => (await call(backend.service, "outbox_status"))[0];
  it("reports queued and given-up mail", async () => {
    expect(await report()).toEqual({ waiting: 0, given_up: 0, oldest_waiting: null });
    await settle(await claimOne("acknowledgement"), "rejected", "smtp-550");
    await settle(await claimOne("firm"), "delivered");
    const { oldest_waiting, ...counts } = await report();
    expect(counts).toEqual({ waiting: 2, given_up: 1 });
    expect(Math.abs(Date.now() - Date.parse(oldest_waiting))).toBeLessThan(60_000);
  });
});
