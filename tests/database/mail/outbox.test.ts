import { beforeEach, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { receive } from "../support/examples.ts";
import { signInAdmin } from "../support/test-backend.ts";

interface Claimed {
  id: string;
  kind: string;
  attempts: number;
}

const attempt = (mail: { id: string }, outcome: string) => ({ mail_id: mail.id, outcome, error_code: null });

eachBackend("outbox", (backend) => {
  beforeEach(async () => {
    await backend.sql("delete from private.email_outbox returning 1 as ok");
  });

  async function claim(batchSize = 100, leaseSeconds = 60): Promise<Claimed[]> {
    const parameters = { batch_size: batchSize, lease_seconds: leaseSeconds };
    return (await backend.service.rpc("claim_due_mail", parameters).throwOnError()).data;
  }

  async function settle(mail: Claimed, outcome: string, code: string | null = null) {
    return backend.service.rpc("settle_mails", { attempts: [{ mail_id: mail.id, outcome, error_code: code }] });
  }

  /** Queues two mails and claims the one of this kind. */
  async function claimOne(kind: "firm" | "acknowledgement"): Promise<Claimed> {
    await receive(backend.service).throwOnError();
    return (await claim()).find((mail) => mail.kind === kind)!;
  }

  async function change(mail: Claimed, assignments: string): Promise<void> {
    await backend.sql(`update private.email_outbox set ${assignments} where id = $1 returning 1 as ok`, [mail.id]);
  }

  async function find(mail: Claimed) {
    const [row] = await backend.sql<{
      delivered: boolean;
      given_up: boolean;
      leased: boolean;
      pause: number;
      last_error: string | null;
    }>(
      `select delivered_at is not null as delivered, gave_up_at is not null as given_up,
         leased_until is not null as leased, last_error,
         extract(epoch from next_attempt_at - now())::float8 as pause
       from private.email_outbox where id = $1`,
      [mail.id],
    );
    return row!;
  }

  it("settles several attempts at once, all or none", async () => {
    await receive(backend.service).throwOnError();
    const [firm, other] = await claim();
    const half = [attempt(firm!, "delivered"), attempt(other!, "unknown")];
    expect((await backend.service.rpc("settle_mails", { attempts: half })).error?.code).toBe("22023");
    expect(await find(firm!)).toMatchObject({ delivered: false, leased: true });
    const whole = [attempt(firm!, "delivered"), attempt(other!, "retry")];
    await backend.service.rpc("settle_mails", { attempts: whole }).throwOnError();
    expect(await find(firm!)).toMatchObject({ delivered: true, leased: false });
    expect(await find(other!)).toMatchObject({ delivered: false, leased: false });
  });

  it("leases each mail to one worker under concurrent claims", async () => {
    for (let i = 0; i < 10; i += 1) await receive(backend.service).throwOnError();
    const batches = await Promise.all(Array.from({ length: 8 }, () => claim(4)));
    const more = await claim();
    const ids = [...batches.flat(), ...more].map((mail) => mail.id);
    expect(ids).toHaveLength(20);
    expect(new Set(ids).size).toBe(20);
    expect(await claim()).toEqual([]);
  });

  it("hands over everything a worker needs, with the attempt counted", async () => {
    await receive(backend.service).throwOnError();
    const mails = await claim();
    expect(mails).toHaveLength(2);
    expect(mails.find((mail) => mail.kind === "acknowledgement")).toEqual({
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

  it("hands out a mail again once its lease has expired", async () => {
    const mail = await claimOne("firm");
    expect(await claim()).toEqual([]);
    await change(mail, "leased_until = now() - interval '1 second'");
    expect(await claim()).toMatchObject([{ id: mail.id, attempts: 2 }]);
  });

  it("never hands out a delivered mail again, even if a late worker reports a retry", async () => {
    const mail = await claimOne("firm");
    expect((await settle(mail, "delivered")).error).toBeNull();
    expect((await settle(mail, "retry", "smtp-421")).error).toBeNull();
    await change(mail, "next_attempt_at = now()");
    expect(await find(mail)).toMatchObject({ delivered: true, given_up: false, leased: false, last_error: null });
    expect(await claim()).toEqual([]);
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
    expect(state).toEqual({ delivered: false, given_up: false, leased: false, last_error: "smtp-etimedout" });
    expect(pause).toBeGreaterThan(seconds - 5);
    expect(pause).toBeLessThan(seconds * 1.1 + 1);
    expect(await claim()).toEqual([]);
  });

  it("gives up an acknowledgement after a permanent rejection or five days of failures", async () => {
    const refused = await claimOne("acknowledgement");
    await settle(refused, "rejected", "smtp-550");
    expect(await find(refused)).toMatchObject({ given_up: true, last_error: "smtp-550" });

    const failing = await claimOne("acknowledgement");
    await change(failing, "first_attempt_at = now() - interval '4 days 23 hours'");
    await settle(failing, "retry", "smtp-421");
    expect(await find(failing)).toMatchObject({ given_up: false });
    await change(failing, "first_attempt_at = now() - interval '5 days 1 hour'");
    await settle(failing, "retry", "smtp-421 421 Later");
    expect(await find(failing)).toMatchObject({ given_up: true, last_error: "expired-smtp-421 421 Later" });
    await change(failing, "next_attempt_at = now(), leased_until = null");
    expect((await claim()).map((mail) => mail.id)).not.toContain(failing.id);
  });

  it("gives up the firm's mail only after five days from the first attempt, and shows it until it is sent", async () => {
    const { client } = backend;
    const admin = client((await signInAdmin(backend)).token);
    const listed = async () => (await admin.rpc("list_undelivered").throwOnError()).data.undelivered;
    const mail = await claimOne("firm");
    await change(mail, "created_at = now() - interval '1 year'");
    await settle(mail, "rejected", "smtp-550");
    expect(await find(mail)).toMatchObject({ given_up: false, delivered: false });
    await change(mail, "first_attempt_at = now() - interval '5 days 1 hour'");
    await settle(mail, "rejected", "smtp-550");
    expect(await find(mail)).toMatchObject({ given_up: true, last_error: "expired-smtp-550" });
    const [{ submission, ...shown }] = await listed();
    expect(shown).toMatchObject({ id: mail.id, kind: "firm", code: "expired-smtp-550" });
    await admin.rpc("resend_message_mail", { submission_id: submission.id, mail_id: mail.id }).throwOnError();
    expect(await claim()).toMatchObject([{ id: mail.id, recipient: null }]);
    await settle(mail, "retry", "smtp-451");
    expect(await find(mail)).toMatchObject({ given_up: false });
    expect(await listed()).toEqual([]);
  });

  it.each([
    ["firm", ["waiting", "given up"]],
    ["acknowledgement", ["given up"]],
  ] as const)("tries a %s that may have arrived at most once more", async (kind, states) => {
    const mail = await claimOne(kind);
    for (const state of states) {
      await settle(mail, "perhaps", "smtp-perhaps");
      // A failure in between does not make it new.
      if (state === "waiting") await settle(mail, "retry", "smtp-451");
      expect((await find(mail)).given_up).toBe(state === "given up");
    }
    expect(await find(mail)).toMatchObject({ last_error: "smtp-perhaps", delivered: false });
  });

  it("counts five days from the next attempt where the clock was ahead at the first", async () => {
    const firm = await claimOne("firm");
    await change(firm, "leased_until = null, first_attempt_at = now() + interval '400 days'");
    await claim();
    await change(firm, "first_attempt_at = first_attempt_at - interval '121 hours'");
    await settle(firm, "retry");
    expect(await find(firm)).toMatchObject({ given_up: true });
  });

  it("waits as long as a busy server asks, without counting the attempt", async () => {
    const mail = await claimOne("firm");
    const busy = { ...attempt(mail, "busy"), error_code: "resend-429", wait_seconds: 90 };
    await backend.service.rpc("settle_mails", { attempts: [busy] }).throwOnError();
    expect((await find(mail)).pause).toBeGreaterThan(85);
    await change(mail, "next_attempt_at = now()");
    expect(await claim()).toMatchObject([{ id: mail.id, attempts: 1 }]);
  });

  it("sends the firm's mail to addresses that the server postponed, and to no others", async () => {
    const mail = await claimOne("firm");
    const partly = { ...attempt(mail, "delivered"), postponed: ["desk@firm.example"] };
    // A result that is reported twice.
    for (let time = 0; time < 2; time += 1)
      await backend.service.rpc("settle_mails", { attempts: [partly] }).throwOnError();
    await backend.sql("update private.email_outbox set next_attempt_at = now() returning 1 as ok");
    expect(await claim()).toMatchObject([{ kind: "firm", recipient: "desk@firm.example" }]);
  });

  it("rejects unknown outcomes, and addresses, line breaks and long texts in an error", async () => {
    const mail = await claimOne("firm");
    expect((await settle(mail, "lost")).error?.code).toBe("22023");
    for (const error of ["smtp-550 <ada@example.com> unknown", "smtp-550 No\nway", `smtp-550 ${"x".repeat(350)}`, "No"])
      expect((await settle(mail, "retry", error)).error?.code).toBe("23514");
  });

  it("reports queued and given-up mail", async () => {
    const empty = await backend.service.rpc("outbox_status").single();
    expect(empty.data).toEqual({ waiting: 0, given_up: 0, oldest_waiting: null });
    await settle(await claimOne("acknowledgement"), "rejected", "smtp-550");
    await settle(await claimOne("firm"), "delivered");
    const { data } = await backend.service.rpc("outbox_status").single();
    expect(data).toMatchObject({ waiting: 2, given_up: 1 });
    const oldest = (data as { oldest_waiting: string }).oldest_waiting;
    expect(Math.abs(Date.now() - Date.parse(oldest))).toBeLessThan(60_000);
  });
});
