import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { contactFieldList } from "#supabase/functions/_shared/contact-fields.ts";
import { eachBackend } from "../support/backends.ts";
import { newAddress } from "../support/data-rights.ts";
import { exampleMails, exampleSubmission, newFingerprint, receive } from "../support/examples.ts";

eachBackend("receive_contact_submission", (backend) => {
  /** Counts the rows that belong to a submission. */
  async function countFor(submissionId: string) {
    const [counts] = await backend.sql<{ submissions: number; receipts: number; mails: number }>(
      `select
         (select count(*)::int from public.contact_submissions where id = $1) as submissions,
         (select count(*)::int from private.contact_receipts where submission_id = $1) as receipts,
         (select count(*)::int from private.email_outbox where submission_id = $1) as mails`,
      [submissionId],
    );
    return counts;
  }

  async function find(id: string) {
    const query = "select * from public.contact_submissions where id = $1";
    return (await backend.sql<Record<string, unknown>>(query, [id]))[0];
  }

  it("stores a message and queues its two mails", async () => {
    const { data } = await receive(backend.service, {
      submission: { ip_address: "203.0.113.9" },
      mails: exampleMails,
    }).throwOnError();
    expect(data.is_new).toBe(true);
    expect(await countFor(data.submission_id)).toEqual({ submissions: 1, receipts: 1, mails: 2 });
    expect(await find(data.submission_id)).toMatchObject({ ...exampleSubmission, ip_address: "203.0.113.9" });
    const mails = await backend.sql(
      `select kind, recipient, reply_to, subject, body, attempts from private.email_outbox
       where submission_id = $1 order by kind desc`,
      [data.submission_id],
    );
    expect(mails).toEqual(exampleMails.map((mail) => ({ ...mail, attempts: 0 })));
  });

  it("stores consent with time, policy version and text hash, or nulls without consent", async () => {
    const consent = { consent_policy_version: "1.0", consent_text_hash: "0a".repeat(32) };
    const { data } = await receive(backend.service, { submission: { consented: true, ...consent } }).throwOnError();
    const { data: unsaid } = await receive(backend.service).throwOnError();
    const kept = await find(data.submission_id);
    expect(kept).toMatchObject({ ...consent, consented_at: kept!.created_at });
    const none = { consented_at: null, consent_policy_version: null, consent_text_hash: null };
    expect(await find(unsaid.submission_id)).toMatchObject(none);
  });

  it("rejects a malformed proof of consent", async () => {
    for (const wrong of [{ consent_policy_version: "latest" }, { consent_text_hash: "a".repeat(63) }])
      expect((await receive(backend.service, { submission: wrong })).error?.code).toBe("23514");
  });

  it("uses the given id, which the mails link to, and leaves visitors' braces in mails alone", async () => {
    const id = randomUUID();
    const mails = exampleMails.map((mail) => ({
      ...mail,
      recipient: mail.recipient && newAddress(),
      body: "My {{id}}",
    }));
    const { data } = await receive(backend.service, { submission: { id }, mails }).throwOnError();
    expect(data.submission_id).toBe(id);
    const bodies = await backend.sql("select distinct body from private.email_outbox where submission_id = $1", [id]);
    expect(bodies).toEqual([{ body: "My {{id}}" }]);
    expect((await receive(backend.service, { submission: { id } })).error?.code).toBe("23505");
  });

  it("stores every field of the form", async () => {
    const texts = Object.fromEntries(contactFieldList.map(([name]) => [name, `${name}@example.com`]));
    const { data } = await receive(backend.service, { submission: texts }).throwOnError();
    expect(await find(data.submission_id)).toMatchObject(texts);
  });

  it("creates one submission and two mails from twenty equal concurrent posts", async () => {
    const before = await backend.sql<{ n: number }>("select count(*)::int as n from public.contact_submissions");
    const fingerprint = newFingerprint();
    const results = await Promise.all(
      Array.from({ length: 20 }, () => receive(backend.service, { fingerprint }).throwOnError()),
    );
    const [id, ...others] = new Set(results.map(({ data }) => data.submission_id));
    expect(others).toEqual([]);
    expect(results.filter(({ data }) => data.is_new)).toHaveLength(1);
    expect(await countFor(id!)).toEqual({ submissions: 1, receipts: 1, mails: 2 });
    const after = await backend.sql<{ n: number }>("select count(*)::int as n from public.contact_submissions");
    expect(after[0]!.n).toBe(before[0]!.n + 1);
  });

  it("accepts the same message as new after 24 hours, not earlier", async () => {
    const fingerprint = newFingerprint();
    const age = async (hours: number) => {
      const moment = `now() - interval '${hours} hours'`;
      const update = `update private.contact_receipts set received_at = ${moment} where fingerprint = $1 returning 1 as ok`;
      expect(await backend.sql(update, [fingerprint])).toHaveLength(1);
    };
    const first = (await receive(backend.service, { fingerprint }).throwOnError()).data;
    await age(23.9);
    expect((await receive(backend.service, { fingerprint })).data).toEqual({ ...first, is_new: false });
    await age(24.1);
    const second = (await receive(backend.service, { fingerprint }).throwOnError()).data;
    expect(second.is_new).toBe(true);
    expect(second.submission_id).not.toBe(first.submission_id);
    expect((await receive(backend.service, { fingerprint })).data).toEqual({ ...second, is_new: false });
    expect(await countFor(first.submission_id)).toEqual({ submissions: 1, receipts: 0, mails: 2 });
    expect(await countFor(second.submission_id)).toEqual({ submissions: 1, receipts: 1, mails: 2 });
  });

  it("stores a quarantined message with its reason and queues no mail", async () => {
    const { data } = await receive(backend.service, { quarantineReason: "honeypot" }).throwOnError();
    expect(data.is_new).toBe(true);
    expect(await countFor(data.submission_id)).toEqual({ submissions: 1, receipts: 1, mails: 0 });
    expect(await find(data.submission_id)).toMatchObject({ quarantine_reason: "honeypot" });
  });

  it("queues the firm's notice about a quarantined message, and nothing for its sender", async () => {
    const mails = exampleMails.map((mail) => ({ ...mail, is_of_held: mail.kind === "firm" }));
    const { data } = await receive(backend.service, { quarantineReason: "honeypot", mails }).throwOnError();
    const queued = await backend.sql(
      "select kind, recipient, delivered_at from private.email_outbox where submission_id = $1",
      [data.submission_id],
    );
    expect(queued).toEqual([{ kind: "firm", recipient: null, delivered_at: null }]);
    const links = "select 1 as found from private.answer_links where submission_id = $1";
    expect(await backend.sql(links, [data.submission_id])).toEqual([]);
  });

  it("sends an address three acknowledgements a day, ignoring case; the firm gets every mail", async () => {
    const send = (email: string) => {
      const mails = exampleMails.map((mail) => (mail.recipient ? { ...mail, recipient: email } : mail));
      return receive(backend.service, { submission: { email }, mails }).throwOnError();
    };
    const results = await Promise.all(
      ["bomb@example.com", "BOMB@example.com", "Bomb@Example.com", "bomb@example.com", "boMb@example.com"].map(send),
    );
    const ids = results.map(({ data }) => data.submission_id);
    const counts = await backend.sql<{ kind: string; n: number }>(
      "select kind, count(*)::int as n from private.email_outbox where submission_id in (select jsonb_array_elements_text($1::jsonb)::uuid) group by kind order by kind",
      [JSON.stringify(ids)],
    );
    expect(counts).toEqual([
      { kind: "acknowledgement", n: 3 },
      { kind: "firm", n: 5 },
    ]);
  });

  it("stores nothing when any part is rejected, so that a retry counts as new", async () => {
    const fingerprint = newFingerprint();
    const tooLong = await receive(backend.service, { fingerprint, submission: { name: "a".repeat(101) } });
    expect(tooLong.error?.code).toBe("23514");
    const missing = await receive(backend.service, { fingerprint, submission: { goal: null } });
    expect(missing.error?.code).toBe("23502");
    const badMail = await receive(backend.service, { fingerprint, mails: [{ ...exampleMails[0], kind: "spam" }] });
    expect(badMail.error?.code).toBe("23514");
    const nobody = await receive(backend.service, { fingerprint, mails: [{ ...exampleMails[1], recipient: null }] });
    expect(nobody.error?.code).toBe("23514");
    expect((await receive(backend.service, { fingerprint }).throwOnError()).data.is_new).toBe(true);
  });

  it("deletes receipt and mail with an erased submission", async () => {
    const fingerprint = newFingerprint();
    const { data } = await receive(backend.service, { fingerprint }).throwOnError();
    await backend.sql("delete from public.contact_submissions where id = $1 returning id", [data.submission_id]);
    expect(await countFor(data.submission_id)).toEqual({ submissions: 0, receipts: 0, mails: 0 });
    expect((await receive(backend.service, { fingerprint }).throwOnError()).data.is_new).toBe(true);
  });
});
