import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { contactMails } from "#supabase/functions/_shared/mails/contact-mail.ts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import {
  callReceive,
  newAddress,
  readActions,
  readMails,
  receiveRequest,
  sampleMail,
  takeStep,
} from "../support/data-rights.ts";
import { exampleSubmission, newCode } from "../support/examples.ts";
import { ageLinks, byToken, callAsk, findMember, join, tokenOf } from "../support/network.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("the line for the hourly limit", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });
  beforeEach(() => backend.exec("delete from private.email_outbox; delete from private.rate_limits"));

  type Sender = Parameters<typeof callReceive>[1];
  const request = (sender: Sender) => callReceive(backend.service, sender);
  const wish = (sender: Sender) => callAsk(backend.service, sender);
  type Ask = (sender: Sender) => Promise<{ email: string; data: unknown; error: unknown }>;

  /** Passes the hour of all mails sent. */
  const passHour = () =>
    backend.exec(`update private.email_outbox set created_at = created_at - interval '61 minutes' where line is null;
      update private.rate_limits set resets_at = now()`);
  const release = (per_hour: number) => backend.service.rpc("release_waiting_mail", { per_hour }).throwOnError();

  /** Lists who has a mail that may go, the first ones first. */
  async function listReleased() {
    const rows = await backend.sql<{ recipient: string }>(
      `select recipient from private.email_outbox
       where kind in ('network', 'request-acknowledgement') and line is null order by recipient`,
    );
    return rows.map(({ recipient }) => recipient);
  }

  it.each<[string, Ask]>([
    ["wishes to join", wish],
    ["data rights requests", request],
  ])("serves one network in turn, oldest first, when %s exceed the hour", async (_, askFor) => {
    const perHour = 6;
    const from = (network: string, n: number) => ({
      email: `${network}${n}@example.com`,
      clientCodes: { client: newCode(), network: network.repeat(43) },
      perHour,
    });
    for (let n = 1; n <= perHour; n += 1) expect((await askFor({ perHour })).data).toMatchObject({ hours: 0 });
    for (const network of ["a", "b", "c"])
      for (let n = 1; n <= 5; n += 1) expect((await askFor(from(network, n))).error).toBeNull();
    // The sixth of a network finds no place, and another network's first waits for its turn.
    expect((await askFor(from("a", 6))).error).toMatchObject({ code: "PT429" });
    expect((await askFor(from("d", 1))).data).toMatchObject({ hours: 1 });
    const before = await listReleased();
    await release(perHour);
    expect(await listReleased()).toEqual(before);
    await passHour();
    await release(perHour);
    const gone = (await listReleased()).filter((email) => !before.includes(email));
    expect(gone).toEqual(["a1", "a2", "b1", "b2", "c1", "d1"].map((name) => `${name}@example.com`));
  });

  it("refuses a request that finds a day's mails in line", async () => {
    for (let n = 0; n <= 24; n += 1) expect((await request({ perHour: 1 })).error).toBeNull();
    expect((await request({ perHour: 1 })).error).toMatchObject({ code: "PT429" });
  });

  it("tells the firm what became of the mail to confirm a wish", async () => {
    const joinNote = async (options: NonNullable<Parameters<typeof callAsk>[1]>) => {
      const email = options.email ?? newAddress();
      const message = { ...exampleSubmission, email, honeypot: "", privacyConsent: true as const };
      const site = { id: "x", url: "https://firm.example", mailContent: "notice", asksToJoin: true } as const;
      const mails = contactMails(message, site).map((mail) => ({ ...mail }));
      const { data, error } = await callAsk(backend.service, { ...options, email, mails });
      if (error) throw error;
      const [mail] = await backend.sql<{ body: string }>(
        "select body from private.email_outbox where submission_id = $1 and kind = 'firm'",
        [data.submission_id],
      );
      return mail?.body.split("investor network")[1]?.trim();
    };
    const email = newAddress();
    expect(await joinNote({ email })).toBe(", and can confirm it by email.");
    expect(await joinNote({ email, submission: { message: "Again" } })).toContain("No new link to confirm it was sent");
    expect(await joinNote({ perHour: 1 })).toMatch(/^\. The link to confirm it waits.*“Send it now”\.$/);
    await backend.sql("update private.email_outbox set created_at = now() - interval '1 hour' returning 1 as ok");
    for (const kind of ["fund", "lender"]) await joinNote({ email, membership: { kind } });
    expect(await joinNote({ email, membership: { kind: "angel" } })).toContain("daily limit for this mailbox");
  });

  it("shows a waiting link to admins, who can send it at once, and to no check of late mail", async () => {
    const { email } = await wish({ perHour: 0 });
    const { email: late } = await wish({ perHour: 1 });
    const waiting = await receiveRequest(backend, { perHour: 0 }).then(() => receiveRequest(backend, { perHour: 1 }));
    await backend.exec("update private.email_outbox set created_at = now() - interval '3 hours', attempts = 1");
    await backend.exec("update private.email_outbox set delivered_at = now() where line is null");
    const status = await backend.service.rpc("outbox_status").single().throwOnError();
    expect(status.data).toMatchObject({ waiting: 0, oldest_waiting: null });
    expect(await backend.sql("select private.find_own_troubles() as troubles")).toEqual([{ troubles: [] }]);
    expect((await backend.service.rpc("claim_due_mail", { batch_size: 9, lease_seconds: 9 })).data).toEqual([]);

    const { data: list } = await admin.rpc("list_network_members", { page_size: 100 }).throwOnError();
    const marks = (list.members as { email: string; link_waits: boolean }[]).filter((row) => row.link_waits);
    expect(marks.map((row) => row.email)).toEqual([late]);
    const member = (await findMember(backend, late))!;
    expect((await admin.rpc("send_network_link", { member_id: member.id, mail: sampleMail })).error?.code).toBe(
      "55000",
    );
    const found = await admin.rpc("find_request", { request_id: waiting.id }).throwOnError();
    expect(found.data).toMatchObject({ link_waits: true });

    const ids = await backend.sql<{ id: string }>("select id from private.email_outbox where line is not null");
    expect(ids).toHaveLength(2);
    for (const { id } of ids) {
      expect((await admin.rpc("find_mail", { mail_id: id }).throwOnError()).data).toMatchObject({
        waits_in_line: true,
      });
      const hurry = async () => (await admin.rpc("send_waiting_mail", { mail_id: id }).throwOnError()).data;
      expect([await hurry(), await hurry()]).toEqual([true, false]);
    }
    expect(await listReleased()).toEqual(expect.arrayContaining([email, late, waiting.email]));
    expect(await readActions(backend, waiting)).toEqual(["received", "confirmation-hurried"]);
    const refused = await backend.service.rpc("send_waiting_mail", { mail_id: ids[0]!.id });
    expect(refused.error?.code).toBe("42501");
  });

  it("sends a waiting confirmation once, with the links that it was stored with", async () => {
    await receiveRequest(backend, { perHour: 0 });
    const sender = { email: newAddress(), clientCodes: { client: newCode() }, perHour: 1 };
    const first = await receiveRequest(backend, sender);
    // As posted again after ten minutes.
    await backend.sql(
      "update public.data_rights_requests set received_at = now() - interval '1 hour' returning 1 as ok",
    );
    const { data } = await callReceive(backend.service, sender);
    expect(data).toMatchObject({ reference: first.reference, is_new: false, hours: 1 });
    expect((await readMails(backend, first)).map(({ kind }) => kind)).toEqual([
      "request-acknowledgement",
      "request-firm",
    ]);
    await release(0);
    const confirm = (token: string) => backend.client().rpc("confirm_data_rights_request", { token }).throwOnError();
    expect((await confirm(first.tokens.confirm)).data).toHaveLength(1);
  });

  it("drops a waiting confirmation when new links replace its own, or the request is closed", async () => {
    await receiveRequest(backend, { perHour: 0 });
    const [resent, refused] = [
      await receiveRequest(backend, { perHour: 1 }),
      await receiveRequest(backend, { perHour: 1 }),
    ];
    const hashes = {
      confirm_token_hash: await digestOfToken(newSecretToken()),
      status_token_hash: await digestOfToken(newSecretToken()),
    };
    await admin
      .rpc("resend_request_links", { step: "resend", request_id: resent.id, ...hashes, mail: sampleMail })
      .throwOnError();
    await takeStep(admin, refused.id, "refuse", "No.").throwOnError();
    await release(0);
    const kinds = async (stored: typeof resent) =>
      (await readMails(backend, stored))
        .map(({ kind, body }) => `${kind} ${body.includes("confirm?token=")}`)
        .toSorted();
    expect(await kinds(resent)).toEqual(["request-acknowledgement false", "request-firm false"]);
    expect(await kinds(refused)).toEqual(["request-answer false", "request-firm false"]);
  });

  it("stores a complaint though the line is full, and tells the firm that it was not acknowledged", async () => {
    const clientCodes = { client: newCode() };
    await receiveRequest(backend, { perHour: 0 });
    for (let n = 1; n <= 5; n += 1) await receiveRequest(backend, { clientCodes, perHour: 1 });
    expect((await request({ clientCodes, perHour: 1 })).error).toMatchObject({ code: "PT429" });
    const complaint = await receiveRequest(backend, { type: "complaint", clientCodes, perHour: 1 });
    const [mail, ...others] = await readMails(backend, complaint);
    expect([mail?.kind, others]).toEqual(["request-firm", []]);
    expect(mail?.body).toContain("was sent to the requester, because the site has reached its hourly limit");
  });

  it("gives reminders a third of the hour, and keeps the rest for asks", async () => {
    for (let n = 0; n < 6; n += 1) await wish({ perHour: 0 });
    await backend.exec(
      `update public.network_members set asked_at = asked_at - interval '4 days' where state = 'asked';
       update private.email_outbox set delivered_at = created_at`,
    );
    const due = async () =>
      (await backend.service.rpc("list_due_network_mails", { per_hour: 6 }).throwOnError()).data as {
        member_id: string;
      }[];
    // The hour is used up.
    expect((await wish({ perHour: 6 })).data).toMatchObject({ hours: 1 });
    const reminded = await due();
    expect(reminded).toHaveLength(2);
    await passHour();
    const mail = { subject: "Still to confirm", body: "Open:", closing: "Bye." };
    for (const { member_id } of reminded)
      await backend.service.rpc("queue_network_mail", { member_id, mail_kind: "reminder", mail }).throwOnError();
    expect(await due()).toEqual([]);
    const [room] = await backend.sql("select private.room_this_hour('network', 6) as room");
    expect(room).toEqual({ room: 4 });
  });

  it("keeps a member's earlier link until the waiting one goes", async () => {
    const { email, token } = await join(backend);
    await ageLinks(backend, email);
    await wish({ email, perHour: 1 });
    expect(await byToken(backend, "find_membership", token)).toMatchObject({ email });
    await release(0);
    expect(await byToken(backend, "find_membership", token)).toBeNull();
    expect(await byToken(backend, "find_membership", await tokenOf(backend, email))).toMatchObject({ email });
  });
});
