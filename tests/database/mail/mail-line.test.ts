import { beforeEach, expect, it } from "vitest";
import { contactMails } from "#supabase/functions/_shared/mails/contact-mail.ts";
import { call } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { callReceive, newAddress, newLinks, sampleMail, useRequests } from "../support/data-rights.ts";
import { exampleSubmission, newCode } from "../support/examples.ts";
import { claimMails, listMails } from "../support/mail.ts";
import { callAsk, useNetwork } from "../support/network.ts";

eachBackend("the line for the hourly limit", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;
  const network = useNetwork(backend);

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

  /** Lists the addresses that have a mail that may go. */
  const listReleased = async () =>
    (await listMails(backend, "kind in ('network', 'request-acknowledgement') and line is null")).map(
      ({ recipient }) => recipient,
    );

  it.each<[string, Ask]>([
    ["wishes to join", wish],
    ["data rights requests", request],
  ])("serves one network in turn, oldest first, when %s exceed the hour", async (_, askFor) => {
    const perHour = 6;
    const from = (group: string, n: number) => ({
      email: `${group}${n}@example.com`,
      clientCodes: { client: newCode(), network: group.repeat(43) },
      perHour,
    });
    for (let n = 1; n <= perHour; n += 1) expect((await askFor({ perHour })).data).toMatchObject({ hours: 0 });
    for (const group of ["a", "b", "c"])
      for (let n = 1; n <= 5; n += 1) expect((await askFor(from(group, n))).error).toBeNull();
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
      const [mail] = await listMails(backend, "submission_id = $1 and kind = 'firm'", [data.submission_id]);
      return mail?.body.split("investor network")[1]?.trim();
    };
    const email = newAddress();
    expect(await joinNote({ email })).toBe(", and can confirm it by email.");
    expect(await joinNote({ email, submission: { message: "Again" } })).toContain("No new link to confirm it was sent");
    expect(await joinNote({ perHour: 1 })).toMatch(/^\. The link to confirm it waits.*“Send it now”\.$/);
    await backend.exec("update private.email_outbox set created_at = now() - interval '1 hour'");
    for (const kind of ["fund", "lender"]) await joinNote({ email, membership: { kind } });
    expect(await joinNote({ email, membership: { kind: "angel" } })).toContain("daily limit for this mailbox");
  });

  it("shows a waiting link to admins, who can send it at once, and to no check of late mail", async () => {
    const { email } = await wish({ perHour: 0 });
    const { email: late } = await wish({ perHour: 1 });
    const waiting = await requests.receive({ perHour: 0 }).then(() => requests.receive({ perHour: 1 }));
    await backend.exec("update private.email_outbox set created_at = now() - interval '3 hours', attempts = 1");
    await backend.exec("update private.email_outbox set delivered_at = now() where line is null");
    expect(await call(backend.service, "outbox_status")).toMatchObject([{ waiting: 0, oldest_waiting: null }]);
    expect(await backend.sql("select private.find_own_troubles() as troubles")).toEqual([{ troubles: [] }]);
    expect(await claimMails(backend)).toEqual([]);

    const { members } = await admin.call("list_network_members", { page_size: 100 });
    const marked = (members as { email: string; link_waits: boolean }[]).filter((row) => row.link_waits);
    expect(marked.map((row) => row.email)).toEqual([late]);
    const member_id = (await network.find(late))!.id;
    expect(await admin.call("send_network_link", { member_id, mail: sampleMail })).toBe("55000");
    expect(await admin.call("find_request", { request_id: waiting.id })).toMatchObject({ link_waits: true });

    const inLine = await listMails(backend, "line is not null");
    expect(inLine).toHaveLength(2);
    for (const { id: mail_id } of inLine) {
      expect(await admin.call("find_mail", { mail_id })).toMatchObject({ waits_in_line: true });
      for (const waited of [true, false]) expect(await admin.call("send_waiting_mail", { mail_id })).toBe(waited);
    }
    expect(await listReleased()).toEqual(expect.arrayContaining([email, late, waiting.email]));
    expect(await requests.readActions(waiting)).toEqual(["received", "confirmation-hurried"]);
  });

  it("sends a waiting confirmation once, with the links that it was stored with", async () => {
    await requests.receive({ perHour: 0 });
    const sender = { email: newAddress(), clientCodes: { client: newCode() }, perHour: 1 };
    const first = await requests.receive(sender);
    // As posted again after ten minutes.
    await backend.exec("update public.data_rights_requests set received_at = now() - interval '1 hour'");
    const { data } = await callReceive(backend.service, sender);
    expect(data).toMatchObject({ reference: first.reference, is_new: false, hours: 1 });
    expect(await requests.readKinds(first)).toEqual(["request-acknowledgement", "request-firm"]);
    await release(0);
    const token = first.tokens.confirm;
    expect(await call(backend.client(), "confirm_data_rights_request", { token })).toHaveLength(1);
  });

  it("drops a waiting confirmation when new links replace its own, or the request is closed", async () => {
    await requests.receive({ perHour: 0 });
    const resent = await requests.receive({ perHour: 1 });
    const refused = await requests.receive({ perHour: 1 });
    const links = { ...(await newLinks()).hashes, mail: sampleMail };
    await admin.rpc("resend_request_links", { step: "resend", request_id: resent.id, ...links }).throwOnError();
    await requests.take(refused.id, "refuse", "No.").throwOnError();
    await release(0);
    const kinds = async (stored: typeof resent) =>
      (await requests.readMails(stored))
        .map(({ kind, body }) => `${kind} ${body.includes("confirm?token=")}`)
        .toSorted();
    expect(await kinds(resent)).toEqual(["request-acknowledgement false", "request-firm false"]);
    expect(await kinds(refused)).toEqual(["request-answer false", "request-firm false"]);
  });

  it("stores a complaint though the line is full, and tells the firm that it was not acknowledged", async () => {
    const clientCodes = { client: newCode() };
    await requests.receive({ perHour: 0 });
    for (let n = 1; n <= 5; n += 1) await requests.receive({ clientCodes, perHour: 1 });
    expect((await request({ clientCodes, perHour: 1 })).error).toMatchObject({ code: "PT429" });
    const complaint = await requests.receive({ type: "complaint", clientCodes, perHour: 1 });
    const [mail, ...others] = await requests.readMails(complaint);
    expect([mail?.kind, others]).toEqual(["request-firm", []]);
    expect(mail?.body).toContain("was sent to the requester, because the site has reached its hourly limit");
  });

  it("gives reminders a third of the hour, and keeps the rest for asks", async () => {
    for (let n = 0; n < 6; n += 1) await wish({ perHour: 0 });
    await backend.exec(
      `update public.network_members set asked_at = asked_at - interval '4 days' where state = 'asked';
       update private.email_outbox set delivered_at = created_at`,
    );
    const due = () => call(backend.service, "list_due_network_mails", { per_hour: 6 });
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
});
