import { randomBytes, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields.ts";
import { isEmailAddress } from "#supabase/functions/_shared/email-address.ts";
import { eachBackend } from "../support/backends.ts";
import { callReceive } from "../support/data-rights.ts";
import { exampleMails, mailsTo, newFingerprint, receive, receiveMessage } from "../support/examples.ts";
import { countRows, readRow, setRows } from "../support/retention.ts";

/** Addresses as the forms pass them on, and as a direct caller of the database might. */
const addresses = [
  "ada@example.com",
  "Ada.L+x@Example.COM",
  "o'brien@firm.example",
  "a@b.test",
  "admin@site.localhost",
  "info@xn--mnchen-3ya.example",
  "a@xn--e1afmkfd.xn--p1ai",
  "1@2.example",
  "ada@gmail",
  "ada@localhost",
  "ada.@",
  "a..b@firm.example",
  ".a@firm.example",
  "a.@firm.example",
  "a@b..example",
  "a@.example",
  "a@example.",
  "ada@1.2.3.4",
  "ada@[1.2.3.4]",
  "ada@firm.c",
  "ada@-firm.example",
  "ada@firm-.example",
  "ada@fi_rm.example",
  "a b@firm.example",
  "ada@firm.example, bob@firm.example",
  "ada@firm.example\nBcc: x@y.example",
  "ådå@firm.example",
  "info@münchen.example",
  "Ada <ada@firm.example>",
  `a@${"b".repeat(63)}.example`,
  `a@${"b".repeat(64)}.example`,
  "plain",
  "@",
];

eachBackend("receive_contact_submission", (backend) => {
  /** Counts a submission's rows: of itself, its receipts and its mails. */
  const countFor = (id: string) =>
    Promise.all([
      countRows(backend, "public.contact_submissions", id),
      countRows(backend, "private.contact_receipts", id, "submission_id"),
      countRows(backend, "private.email_outbox", id, "submission_id"),
    ]);

  const find = (id: string) => readRow(backend, "public.contact_submissions", id);
  const refuse = async (options: Parameters<typeof receive>[1]) =>
    (await receive(backend.service, options)).error?.code;

  it("stores every field of the form and queues both mails", async () => {
    const texts = Object.fromEntries(contactFieldList.map(([name]) => [name, `${name}@example.com`]));
    const submission = { ...texts, ip_address: "203.0.113.9" };
    const { data } = await receive(backend.service, { submission, mails: exampleMails }).throwOnError();
    expect(data.is_new).toBe(true);
    expect(await countFor(data.submission_id)).toEqual([1, 1, 2]);
    expect(await find(data.submission_id)).toMatchObject(submission);
    const mails = await backend.sql(
      `select kind, recipient, reply_to, subject, body, attempts from private.email_outbox
       where submission_id = $1 order by kind desc`,
      [data.submission_id],
    );
    expect(mails).toEqual(exampleMails.map((mail) => ({ ...mail, attempts: 0 })));
  });

  it("stores consent with time, policy version and text hash, nulls without consent, and no malformed proof", async () => {
    const consent = { consent_policy_version: "1.0", consent_text_hash: "0a".repeat(32) };
    const kept = await find(await receiveMessage(backend, { submission: { consented: true, ...consent } }));
    expect(kept).toMatchObject({ ...consent, consented_at: kept!.created_at });
    const none = { consented_at: null, consent_policy_version: null, consent_text_hash: null };
    expect(await find(await receiveMessage(backend))).toMatchObject(none);
    for (const submission of [{ consent_policy_version: "latest" }, { consent_text_hash: "a".repeat(63) }])
      expect(await refuse({ submission })).toBe("23514");
  });

  it("uses the given id, which the mails link to, and leaves visitors' braces in mails alone", async () => {
    const id = randomUUID();
    const mails = mailsTo().map((mail) => ({ ...mail, body: "My {{id}}" }));
    expect(await receiveMessage(backend, { submission: { id }, mails })).toBe(id);
    const bodies = await backend.sql("select distinct body from private.email_outbox where submission_id = $1", [id]);
    expect(bodies).toEqual([{ body: "My {{id}}" }]);
    expect(await refuse({ submission: { id } })).toBe("23505");
  });

  it("accepts the same message as new after 24 hours, not earlier", async () => {
    const fingerprint = newFingerprint();
    const send = async () => (await receive(backend.service, { fingerprint }).throwOnError()).data;
    const age = (hours: number) => {
      const received = `received_at = now() - interval '${hours} hours'`;
      return setRows(backend, "private.contact_receipts", fingerprint, received, "fingerprint");
    };
    const first = await send();
    await age(23.9);
    expect(await send()).toEqual({ ...first, is_new: false });
    await age(24.1);
    const second = await send();
    expect(second.is_new).toBe(true);
    expect(second.submission_id).not.toBe(first.submission_id);
    expect(await send()).toEqual({ ...second, is_new: false });
    expect(await countFor(first.submission_id)).toEqual([1, 0, 2]);
    expect(await countFor(second.submission_id)).toEqual([1, 1, 2]);
  });

  it("stores a quarantined message with its reason, and queues the firm's notice about it alone", async () => {
    const silent = await receiveMessage(backend, { quarantineReason: "honeypot" });
    expect(await countFor(silent)).toEqual([1, 1, 0]);
    expect(await find(silent)).toMatchObject({ quarantine_reason: "honeypot" });

    const mails = exampleMails.map((mail) => ({ ...mail, is_of_held: mail.kind === "firm" }));
    const id = await receiveMessage(backend, { quarantineReason: "honeypot", mails });
    const queued = "select kind, recipient, delivered_at from private.email_outbox where submission_id = $1";
    expect(await backend.sql(queued, [id])).toEqual([{ kind: "firm", recipient: null, delivered_at: null }]);
    expect(await countRows(backend, "private.answer_links", id, "submission_id")).toBe(0);
  });

  it.each(contactFieldList)(
    "limits %s to the length in the form, and requires a character where the form does",
    async (field, { limit, isOptional }) => {
      const send = (text: string) => refuse({ submission: { [field]: text } });
      const [letter, end] = field === "email" ? ["e", "@a.example"] : ["🌻", ""];
      expect(await send(letter.repeat(limit - end.length) + end)).toBeUndefined();
      expect(await send(letter.repeat(limit + 1 - end.length) + end)).toBe("23514");
      expect(await send("")).toBe(isOptional ? undefined : "23514");
    },
  );

  it("stores nothing when any part is rejected, so that a retry counts as new", async () => {
    const fingerprint = newFingerprint();
    const wrong: [Parameters<typeof receive>[1], string][] = [
      [{ submission: { name: "" } }, "23514"],
      [{ submission: { goal: null } }, "23502"],
      [{ mails: [{ ...exampleMails[0], kind: "spam" }] }, "23514"],
      [{ mails: [{ ...exampleMails[1], recipient: null }] }, "23514"],
    ];
    for (const [options, code] of wrong) expect(await refuse({ fingerprint, ...options })).toBe(code);
    expect((await receive(backend.service, { fingerprint }).throwOnError()).data.is_new).toBe(true);
  });

  it.each(addresses)("agrees with both forms about the address %j", async (email) => {
    const isGood = isEmailAddress(email);
    const code = isGood ? undefined : "23514";
    expect(await refuse({ submission: { email } })).toBe(code);
    expect((await callReceive(backend.service, { email })).error?.code).toBe(code);
  });

  it("lets a message with a malformed stored address be changed", async () => {
    const id = await receiveMessage(backend);
    await setRows(backend, "public.contact_submissions", id, "email = 'a..b@firm'");
    const change = "update public.contact_submissions set state = 'done' where id = $1 returning email, state";
    expect(await backend.sql(change, [id])).toEqual([{ email: "a..b@firm", state: "done" }]);
  });

  it("accepts a malformed address of an account for a password link only", async () => {
    const account = `${randomBytes(6).toString("hex")}@a.example`;
    await backend.sql("insert into auth.users (id, email) values (gen_random_uuid(), $1) returning id", [account]);
    const link = (purpose: string, email: string) =>
      backend.sql(
        `insert into private.account_links (token_hash, purpose, email, user_id, expires_at)
         select $1, $2, $3, case when $2 = 'new-password' then (select id from auth.users limit 1) end, now() returning id`,
        [randomBytes(32).toString("hex"), purpose, email],
      );
    await expect(link("invitation", "ada@firm")).rejects.toMatchObject({ code: "23514" });
    await expect(link("invitation", "ada@firm.example")).resolves.toHaveLength(1);
    await expect(link("new-password", "ada@firm")).resolves.toHaveLength(1);
  });
});
