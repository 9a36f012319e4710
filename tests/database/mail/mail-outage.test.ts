import { beforeEach, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { findRow, readActions, receiveRequest, sampleMail } from "../support/data-rights.ts";
import { clearNetwork } from "../support/letters.ts";
import { ageMember, ask, byToken, findMember, join, linkMail, settleWaiting, tokenOf } from "../support/network.ts";
import { keepRetention, setRows } from "../support/retention.ts";

/** Columns that a day's passing moves back. */
const clocks = [
  ["private.email_outbox", "created_at, next_attempt_at, first_attempt_at, delivered_at, gave_up_at"],
  [
    "public.network_members",
    "asked_at, pending_at, confirmed_at, renewed_at, reminded_at, renewal_asked_at, paused_at",
  ],
  ["public.data_rights_requests", "received_at, last_reminder_at"],
  ["private.data_rights_links", "expires_at"],
  ["private.account_links", "expires_at, made_at"],
  ["private.rate_limits", "resets_at"],
] as const;

// The database knows only its own clock, so days pass by moving everything that it stored back, and what the site does
// each day (reminders, one attempt with each mail, retention) is called in between. Without a mail server nothing that
// follows from a mail may follow: no deletion, no reminder about something that is over, no link that has ended.
eachBackend("a week without mail", (backend) => {
  beforeEach(() => clearNetwork(backend));

  /** Lets days pass, with the site's daily work and one attempt with each mail, each day or every few days. */
  async function passDays(days: number, addresses: string[], outcome: "retry" | "delivered", step = 1) {
    for (let day = 0; day < days; day += step) {
      for (const [table, columns] of clocks) {
        const assignments = columns.split(", ").map((column) => `${column} = ${column} - interval '${step} days'`);
        await backend.exec(`update ${table} set ${assignments.join()}`);
      }
      await backend.exec(`update public.data_rights_requests set due_on = due_on - ${step}`);
      const { data: due } = await backend.service.rpc("list_due_network_mails").throwOnError();
      for (const { member_id, mail: mail_kind } of due) {
        const call = { member_id, mail_kind, mail: linkMail };
        await backend.service.rpc("queue_network_mail", call).throwOnError();
      }
      const { data: reminders } = await backend.service.rpc("list_due_reminders").throwOnError();
      for (const { request_id, reminder } of reminders) {
        const tokens = Object.fromEntries(
          ["confirm", "status"].map((purpose, n) => [
            `${purpose}_token_hash`,
            `${n}${day}`.padEnd(4, "0") + request_id.replaceAll("-", "").padEnd(60, "0"),
          ]),
        );
        const call = { request_id, reminder, mail: sampleMail, acknowledgements_per_hour: 0, ...tokens };
        await backend.service.rpc("queue_reminder", call).throwOnError();
      }
      for (const address of addresses) await settleWaiting(backend, address, outcome);
      await keepRetention(backend);
    }
  }

  const has = (email: string) => findMember(backend, email).then((member) => member !== undefined);

  it("costs nobody the seven days to confirm, which begin with the first delivery", async () => {
    const { email } = await ask(backend);
    await passDays(4, [email], "retry");
    await passDays(7, [email], "delivered");
    expect(await byToken(backend, "find_membership", await tokenOf(backend, email))).toMatchObject({ state: "asked" });
    await passDays(1, [email], "delivered");
    expect(await has(email)).toBe(false);
  });

  it("deletes nobody who got no mail, and writes to them afterwards", async () => {
    const { email } = await ask(backend);
    await passDays(30, [email], "retry", 5);
    expect(await has(email)).toBe(true);
    const delivered = "select 1 as ok from private.email_outbox where recipient = $1 and delivered_at is not null";
    for (let day = 0; day < 10 && (await backend.sql(delivered, [email])).length === 0; day += 1)
      await passDays(1, [email], "delivered");
    expect(await byToken(backend, "find_membership", await tokenOf(backend, email))).toMatchObject({ state: "asked" });
  });

  it("deletes no member who was not asked to stay, and asks again afterwards", async () => {
    const { email } = await join(backend);
    await settleWaiting(backend, email);
    await ageMember(backend, email, "asked_at, confirmed_at, renewed_at", "24 months");
    await passDays(70, [email], "retry", 5);
    expect(await findMember(backend, email)).toMatchObject({ renewal_asked_at: null, paused_at: null });
    await passDays(8, [email], "delivered");
    expect(await findMember(backend, email)).toMatchObject({ renewal_asked_at: expect.any(String) });
    await passDays(50, [email], "delivered", 5);
    expect(await has(email)).toBe(true);
    await passDays(12, [email], "delivered", 4);
    expect(await has(email)).toBe(false);
  });

  it("keeps a later wish that its member could not confirm", async () => {
    const { email } = await join(backend);
    await settleWaiting(backend, email);
    await passDays(1, [email], "delivered");
    await ask(backend, { email, membership: { kind: "fund" } });
    await passDays(4, [email], "retry");
    await passDays(6, [email], "delivered");
    const { token } = { token: await tokenOf(backend, email) };
    expect(await byToken(backend, "confirm_membership", token)).toMatchObject({ kind: "fund" });
  });

  it("drops the question that still waits when the member answers it", async () => {
    const { email, token } = await ask(backend);
    await settleWaiting(backend, email);
    await passDays(4, [email], "retry");
    expect(await settleWaiting(backend, email, "retry")).toBe(1);
    await byToken(backend, "confirm_membership", await tokenOf(backend, email));
    expect(await settleWaiting(backend, email)).toBe(0);
    expect(await byToken(backend, "find_membership", token)).toBeNull();
  });

  it("lets a member say yes to a question whose delivery is unknown", async () => {
    const { email } = await join(backend);
    await settleWaiting(backend, email);
    await ageMember(backend, email, "asked_at, confirmed_at, renewed_at", "24 months");
    await passDays(1, [email], "retry");
    const token = await tokenOf(backend, email);
    expect(await byToken(backend, "find_membership", token)).toMatchObject({ renewal_asked_at: expect.any(String) });
    await byToken(backend, "confirm_membership", token);
    await passDays(80, [email], "retry", 8);
    expect(await has(email)).toBe(true);
  });

  it("deletes no unconfirmed request before its requester got the second mail, and a month to follow it", async () => {
    const request = await receiveRequest(backend);
    await settleWaiting(backend, request.email);
    await passDays(65, [request.email], "retry", 5);
    expect(await findRow(backend, request)).toMatchObject({ state: "unconfirmed" });
    await passDays(1, [request.email], "delivered");
    const sent = (await readActions(backend, request)).filter((action) => action === "confirmation-resent");
    expect(sent.length).toBeGreaterThan(1);
    const [link] = await backend.sql<{ days: number }>(
      "select extract(day from expires_at - now())::int as days from private.data_rights_links where request_id = $1 and purpose = 'confirm'",
      [request.id],
    );
    expect(link!.days).toBeGreaterThanOrEqual(3);
    await passDays(28, [request.email], "delivered", 4);
    await passDays(1, [request.email], "delivered");
    expect(await findRow(backend, request)).toBeDefined();
    await passDays(2, [request.email], "delivered");
    expect(await findRow(backend, request)).toBeUndefined();
  });

  it("sends no link of an account that has expired, and lets a late one last", async () => {
    const person = await backend.signIn();
    const token_hash = "e".repeat(64);
    await backend.service
      .rpc("request_new_password", { email: person.email, token_hash, mail: sampleMail })
      .throwOnError();
    const claim = async () => {
      await backend.exec("update private.email_outbox set next_attempt_at = now(), leased_until = null");
      const { data } = await backend.service
        .rpc("claim_due_mail", { batch_size: 100, lease_seconds: 60 })
        .throwOnError();
      return data.filter(({ recipient }: { recipient: string }) => recipient === person.email).length;
    };
    const move = async (interval: string) => {
      await backend.exec(`update private.email_outbox set created_at = created_at - interval '${interval}'`);
      await setRows(
        backend,
        "private.account_links",
        token_hash,
        `expires_at = expires_at - interval '${interval}'`,
        "token_hash",
      );
    };
    await move("20 minutes");
    expect(await claim()).toBe(1);
    await settleWaiting(backend, person.email);
    const [link] = await backend.sql<{ left: number }>(
      "select extract(minute from expires_at - now())::int as left from private.account_links where token_hash = $1",
      [token_hash],
    );
    expect(link!.left).toBeGreaterThanOrEqual(29);
    await backend.exec("update private.email_outbox set delivered_at = null where account_link_id is not null");
    await move("31 minutes");
    expect(await claim()).toBe(0);
  });

  it("mails the firm the newest digest alone", async () => {
    for (const [day, body] of [
      ["2030-01-01", "Old"],
      ["2030-01-02", "New"],
    ])
      await backend.service.rpc("queue_digest", { morning: day, mail: { subject: "Digest", body } }).throwOnError();
    expect(await backend.sql("select body from private.email_outbox where kind = 'digest'")).toEqual([{ body: "New" }]);
  });
});
