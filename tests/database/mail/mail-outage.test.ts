import { beforeEach, expect, it } from "vitest";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { findRow, newLinks, readActions, receiveRequest, sampleMail } from "../support/data-rights.ts";
import { clearNetwork } from "../support/letters.ts";
import { claimMails, listMails, makeMailsDue } from "../support/mail.ts";
import { linkMail, useNetwork } from "../support/network.ts";
import { keepRetention } from "../support/retention.ts";

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
  const network = useNetwork(backend);
  beforeEach(() => clearNetwork(backend));

  /** Lets days pass, with the site's daily work and one attempt with each mail, each day or every few days. */
  async function passDays(days: number, addresses: string[], outcome: "retry" | "delivered", step = 1) {
    for (let day = 0; day < days; day += step) {
      for (const [table, columns] of clocks) {
        const assignments = columns.split(", ").map((column) => `${column} = ${column} - interval '${step} days'`);
        await backend.exec(`update ${table} set ${assignments.join()}`);
      }
      await backend.exec(`update public.data_rights_requests set due_on = due_on - ${step}`);
      for (const { member_id, mail: mail_kind } of await call(backend.service, "list_due_network_mails"))
        await backend.service.rpc("queue_network_mail", { member_id, mail_kind, mail: linkMail }).throwOnError();
      for (const { request_id, reminder } of await call(backend.service, "list_due_reminders")) {
        const mail = { mail: sampleMail, acknowledgements_per_hour: 0, ...(await newLinks()).hashes };
        await backend.service.rpc("queue_reminder", { request_id, reminder, ...mail }).throwOnError();
      }
      for (const address of addresses) await network.settle(address, outcome);
      await keepRetention(backend);
    }
  }

  const readPage = async (email: string) => network.open(await network.tokenOf(email));

  /** Lets someone join whose question to stay is due. */
  async function joinLongAgo() {
    const { email } = await network.join();
    await network.settle(email);
    await network.age(email, "asked_at, confirmed_at, renewed_at", "24 months");
    return email;
  }

  it("costs nobody the seven days to confirm, which begin with the first delivery", async () => {
    const { email } = await network.ask();
    await passDays(30, [email], "retry", 5);
    expect(await network.find(email)).toBeDefined();
    const listDelivered = () => listMails(backend, "recipient = $1 and delivered_at is not null", [email]);
    for (let day = 0; day < 10 && (await listDelivered()).length === 0; day += 1)
      await passDays(1, [email], "delivered");
    await passDays(6, [email], "delivered");
    expect(await readPage(email)).toMatchObject({ state: "asked" });
    await passDays(1, [email], "delivered");
    expect(await network.find(email)).toBeUndefined();
  });

  it("deletes no member who was not asked to stay, and asks again afterwards", async () => {
    const email = await joinLongAgo();
    await passDays(70, [email], "retry", 5);
    expect(await network.find(email)).toMatchObject({ renewal_asked_at: null, paused_at: null });
    await passDays(8, [email], "delivered");
    expect(await network.find(email)).toMatchObject({ renewal_asked_at: expect.any(String) });
  });

  it("keeps a later wish that its member could not confirm", async () => {
    const { email } = await network.join();
    await network.settle(email);
    await passDays(1, [email], "delivered");
    await network.ask({ email, membership: { kind: "fund" } });
    await passDays(4, [email], "retry");
    await passDays(6, [email], "delivered");
    expect(await network.confirm(await network.tokenOf(email))).toMatchObject({ kind: "fund" });
  });

  it("drops the question that still waits when the member answers it", async () => {
    const { email, token } = await network.ask();
    await network.settle(email);
    await passDays(4, [email], "retry");
    expect(await network.settle(email, "retry")).toBe(1);
    await network.confirm(await network.tokenOf(email));
    expect(await network.settle(email)).toBe(0);
    expect(await network.open(token)).toBeNull();
  });

  it("lets a member say yes to a question whose delivery is unknown", async () => {
    const email = await joinLongAgo();
    await passDays(1, [email], "retry");
    const token = await network.tokenOf(email);
    expect(await network.open(token)).toMatchObject({ renewal_asked_at: expect.any(String) });
    await network.confirm(token);
    await passDays(80, [email], "retry", 8);
    expect(await network.find(email)).toBeDefined();
  });

  it("deletes no unconfirmed request before its requester got the second mail, and a month to follow it", async () => {
    const request = await receiveRequest(backend);
    await network.settle(request.email);
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
    const link = { email: person.email, token_hash: "e".repeat(64), mail: sampleMail };
    await backend.service.rpc("request_new_password", link).throwOnError();
    const countClaimed = async () => {
      await makeMailsDue(backend);
      return (await claimMails(backend)).filter(({ recipient }) => recipient === person.email).length;
    };
    const move = (interval: string) =>
      backend.exec(`update private.email_outbox set created_at = created_at - interval '${interval}';
        update private.account_links set expires_at = expires_at - interval '${interval}'`);
    await move("20 minutes");
    expect(await countClaimed()).toBe(1);
    await network.settle(person.email);
    const [stored] = await backend.sql<{ left: number }>(
      "select extract(minute from expires_at - now())::int as left from private.account_links where token_hash = $1",
      [link.token_hash],
    );
    expect(stored!.left).toBeGreaterThanOrEqual(29);
    await backend.exec("update private.email_outbox set delivered_at = null where account_link_id is not null");
    await move("31 minutes");
    expect(await countClaimed()).toBe(0);
  });

  it("mails the firm the newest digest alone", async () => {
    const queue = (morning: string, body: string) =>
      backend.service.rpc("queue_digest", { morning, mail: { subject: "Digest", body } }).throwOnError();
    await queue("2030-01-01", "Old");
    await queue("2030-01-02", "New");
    expect(await listMails(backend, "kind = 'digest'")).toMatchObject([{ body: "New" }]);
    // The older morning was listed before, as one is whose clock is then corrected.
    expect((await backend.service.rpc("queue_digest", { morning: "2030-01-01", mail: null })).data).toBe(false);
    expect(await backend.sql("select day::text from private.digests")).toEqual([{ day: "2030-01-02" }]);
  });
});
