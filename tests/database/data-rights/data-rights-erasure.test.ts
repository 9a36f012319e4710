import type { SupabaseClient } from "@supabase/supabase-js";
import { createHash } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { retention } from "~/content/facts";
import { eachBackend } from "../support/backends.ts";
import {
  findRow,
  newAddress,
  receiveConfirmed,
  receiveRequest,
  sampleMail,
  previewErasure,
} from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { findTablesWith as findTablesOf } from "../../support/find-text.ts";
import { type Person, signInAdmin } from "../support/test-backend.ts";

eachBackend("export and erasure of a person's data", (backend) => {
  let person: Person;
  let admin: SupabaseClient;

  beforeAll(async () => {
    person = await signInAdmin(backend);
    admin = backend.client(person.token);
  });

  /**
   * Receives a message with its two mails.
   * @returns the submission's id
   */
  async function send(email: string, message: string, changes: Record<string, unknown> = {}) {
    const mails = [
      { kind: "firm", recipient: null, reply_to: email, subject: "From somebody", body: `${email} wrote: ${message}` },
      { kind: "acknowledgement", recipient: email, reply_to: null, subject: "Received", body: "Thank you." },
    ];
    const { data } = await receive(backend.service, { submission: { email, message, ...changes }, mails });
    return data!.submission_id;
  }

  /** Creates a person with two messages and three requests: unconfirmed, withdrawn, and confirmed with this type. */
  async function createSubject(type: "erasure" | "access") {
    const email = newAddress();
    const submissions = [await send(email, "First words"), await send(email.toUpperCase(), "Second words")];
    // Dated back, because one mailbox gets few acknowledgements a day.
    await backend.sql("update private.email_outbox set created_at = now() - interval '2 days' returning 1 as ok");
    await receiveRequest(backend, { email: ` ${email} `, description: "Perhaps a stranger's" });
    const withdrawn = await receiveRequest(backend, { email, description: "Not any more" });
    await backend.client().rpc("withdraw_data_rights_request", { token: withdrawn.tokens.status }).throwOnError();
    const request = await receiveConfirmed(backend, { email, type });
    await admin
      .rpc("take_request_step", { step: "note", request_id: request.id, note: `Wrote to ${email}` })
      .throwOnError();
    return { email, submissions, request };
  }

  const findTablesWith = (text: string) => findTablesOf((query, parameters) => backend.sql(query, parameters), text);

  async function findTombstone({ reference }: { reference: string }) {
    const [found] = await backend.sql<{ email_hash: string; erased_at: string | Date }>(
      "select * from private.erasure_tombstones where reference = $1",
      [reference],
    );
    return found!;
  }

  const counts = {
    submissions: 2,
    replies: 0,
    receipts: 2,
    requests: 3,
    links: 6,
    events: 6,
    memberships: 0,
    mails: 10,
  };

  it("exports everything with the history of requests, and nothing about other people", async () => {
    const { email, submissions, request } = await createSubject("access");
    const other = await createSubject("access");
    const { data } = await admin.rpc("export_subject_data", { request_id: request.id }).throwOnError();
    expect(data).toMatchObject({ reference: request.reference, email, earlier_erasures: [] });
    expect(data.submissions.map(({ id }: { id: string }) => id)).toEqual(submissions);
    expect(data.submissions[0]).toMatchObject({ message: "First words", state: "new", quarantine_reason: null });
    // Nothing proves that the requester sent it, so the IP address may be somebody else's.
    expect(data.submissions[0]).not.toHaveProperty("ip_address");
    for (const proof of ["consented_at", "consent_policy_version", "consent_text_hash"])
      expect(data.submissions[0]).toHaveProperty(proof);
    expect(data.requests.map(({ state }: { state: string }) => state).toSorted()).toEqual([
      "open",
      "unconfirmed",
      "withdrawn",
    ]);
    const own = data.requests.find(({ id }: { id: string }) => id === request.id);
    expect(own.events.map(({ by, action }: Record<string, string>) => [by, action])).toEqual([
      ["requester", "received"],
      ["requester", "confirmed"],
      ["admin", "noted"],
      ["admin", "exported"],
    ]);
    expect(data.mails).toHaveLength(10);
    const text = JSON.stringify(data);
    expect(text).not.toContain(other.email);
    // The admin's id and working links are not the person's data.
    for (const secret of [person.id, request.tokens.status]) expect(text).not.toContain(secret);
  });

  it("previews the counts of an erasure and the mentions in other people's texts", async () => {
    const { email, request } = await createSubject("erasure");
    await send(newAddress(), `Ask ${email.toUpperCase()}, who knows`);
    const other = await receiveRequest(backend, { description: `As I told ${email}` });
    const preview = () => previewErasure(admin, request);
    expect(await preview()).toEqual({ ...counts, mentions: 2 });
    await admin.rpc("take_request_step", { step: "note", request_id: other.id, note: `See ${email}` }).throwOnError();
    await send(newAddress(), `Or ask ${email}`);
    expect(await preview()).toEqual({ ...counts, mentions: 3 });
    expect(await findRow(backend, request)).toMatchObject({ state: "open" });
  });

  it("erases everything except a tombstone and a last mail, which is deleted once delivered", async () => {
    const { email, submissions, request } = await createSubject("erasure");
    const other = await createSubject("erasure");
    const { data: counted } = await admin
      .rpc("erase_subject", { request_id: request.id, mail: sampleMail })
      .throwOnError();
    expect(counted).toEqual(counts);
    expect(await findRow(backend, request)).toBeUndefined();
    expect(await findTablesWith(email)).toEqual(["private.email_outbox"]);

    const { data: due } = await backend.service.rpc("claim_due_mail", { batch_size: 100, lease_seconds: 60 });
    const last = due.filter(({ recipient }: { recipient: string }) => recipient === email);
    expect(last).toMatchObject([{ kind: "request-answer", subject: `Your request ${request.reference}` }]);
    const settle = (outcome: string) =>
      backend.service.rpc("settle_mails", { attempts: [{ mail_id: last[0].id, outcome }] }).throwOnError();
    await settle("retry");
    expect(await findTablesWith(email)).toEqual(["private.email_outbox"]);
    await settle("delivered");
    expect(await findTablesWith(email)).toEqual([]);
    for (const id of [request.id, ...submissions, "First words"].slice(0, 3))
      expect(await findTablesWith(id)).toEqual([]);
    for (const token of [request.tokens.status, request.tokens.confirm]) {
      expect((await backend.client().rpc("find_data_rights_status", { token })).data).toEqual([]);
    }

    const tombstone = await findTombstone(request);
    expect(tombstone).toMatchObject({
      reference: request.reference,
      erased_by: person.id,
      counts,
      email_hash: expect.stringMatching(/^[0-9a-f]{96}$/),
    });
    // No table of hashes reveals the address, but a given address can be checked.
    const plain = createHash("sha256").update(email).digest("hex");
    expect(tombstone.email_hash).not.toContain(plain);
    const isOf = "select private.is_salted_digest_of($1, private.digest($2)) as answer";
    for (const [address, answer] of [
      [email, true],
      [other.email, false],
    ] as const)
      // prettier-ignore
      expect(await backend.sql(isOf, [tombstone.email_hash, address])).toEqual([{ answer }]);
    expect(Date.now() - new Date(tombstone.erased_at).getTime()).toBeLessThan(60_000);
    // The other person's data is unchanged.
    expect(await previewErasure(admin, other.request)).toEqual({ ...counts, mentions: 0 });
  });

  it("lists earlier erasures in a later export under the same address", async () => {
    const { email, request } = await createSubject("erasure");
    await admin.rpc("erase_subject", { request_id: request.id, mail: sampleMail }).throwOnError();
    const later = await receiveConfirmed(backend, { email });
    const { data } = await admin.rpc("export_subject_data", { request_id: later.id }).throwOnError();
    expect(data.earlier_erasures).toMatchObject([{ reference: request.reference, counts }]);
    expect(data.submissions).toEqual([]);
    // The last mail of the first erasure is still queued; the second erasure deletes it.
    const again = await receiveConfirmed(backend, { email, type: "erasure" });
    await admin.rpc("erase_subject", { request_id: again.id, mail: sampleMail }).throwOnError();
    const waiting = await backend.sql("select subject from private.email_outbox where recipient = $1", [email]);
    expect(waiting).toEqual([{ subject: `Your request ${again.reference}` }]);
  });

  it("deletes the last mail after a permanent rejection", async () => {
    const { email, request } = await createSubject("erasure");
    await admin.rpc("erase_subject", { request_id: request.id, mail: sampleMail }).throwOnError();
    const [mail] = await backend.sql<{ id: string }>("select id from private.email_outbox where recipient = $1", [
      email,
    ]);
    const refusal = { mail_id: mail!.id, outcome: "rejected", error_code: "smtp-550" };
    await backend.service.rpc("settle_mails", { attempts: [refusal] }).throwOnError();
    expect(await findTablesWith(email)).toEqual([]);
  });

  it("records where else the admin has erased the person, and rejects unknown places", async () => {
    const { request } = await createSubject("erasure");
    const erase = (elsewhere: string[]) =>
      admin.rpc("erase_subject", { request_id: request.id, mail: sampleMail, elsewhere });
    expect((await erase(["mailbox", "attic"])).error?.code).toBe("23514");
    expect(await findRow(backend, request)).toMatchObject({ state: "open" });
    expect((await erase(["mailbox", "advisers"])).error).toBeNull();
    const tombstone = await findTombstone(request);
    expect(tombstone).toMatchObject({ reference: request.reference, elsewhere: ["mailbox", "advisers"] });
  });

  it("keeps a last mail stored as a file until the retention of mails deletes it", async () => {
    const { email, request } = await createSubject("erasure");
    await admin.rpc("erase_subject", { request_id: request.id, mail: sampleMail }).throwOnError();
    const [mail] = await backend.sql<{ id: string }>("select id from private.email_outbox where recipient = $1", [
      email,
    ]);
    await backend.service.rpc("settle_mails", { attempts: [{ mail_id: mail!.id, outcome: "filed" }] }).throwOnError();
    expect(await findTablesWith(email)).toEqual(["private.email_outbox"]);
    const retain = () => backend.service.rpc("keep_retention", { source: "test" }).throwOnError();
    const age = (column: string, days: number) =>
      backend.sql(
        `update private.email_outbox set ${column} = now() - $2 * interval '1 day' where id = $1 returning id`,
        [mail!.id, days],
      );
    await age("delivered_at", retention.mailDays - 1);
    await retain();
    expect(await findTablesWith(email)).toEqual(["private.email_outbox"]);
    await age("delivered_at", retention.mailDays + 1);
    await retain();
    expect(await findTablesWith(email)).toEqual([]);
  });

  it("deletes an undelivered last mail once no attempt can follow", async () => {
    const { email, request } = await createSubject("erasure");
    await admin.rpc("erase_subject", { request_id: request.id, mail: sampleMail }).throwOnError();
    const days = retention.mailDays + retention.mailAttemptDays;
    const age = (by: number) =>
      backend.sql(
        "update private.email_outbox set created_at = now() - $2 * interval '1 day' where recipient = $1 returning id",
        [email, by],
      );
    await age(days - 1);
    await backend.service.rpc("keep_retention", { source: "test" }).throwOnError();
    expect(await findTablesWith(email)).toEqual(["private.email_outbox"]);
    await age(days + 1);
    await backend.service.rpc("keep_retention", { source: "test" }).throwOnError();
    expect(await findTablesWith(email)).toEqual([]);
  });

  it("erases nothing for other types, unconfirmed requests, or without a mail", async () => {
    const { email, request } = await createSubject("erasure");
    const wrong: [string, Record<string, unknown>, string][] = [
      [(await receiveRequest(backend, { email, type: "erasure", description: "Other" })).id, sampleMail, "55000"],
      [(await receiveConfirmed(backend, { email, type: "access" })).id, sampleMail, "55000"],
      [(await receiveConfirmed(backend, { email, type: "portability" })).id, sampleMail, "55000"],
      [request.id, { subject: "Erased", body: "" }, "22023"],
      [person.id, sampleMail, "P0002"],
    ];
    const before = await previewErasure(admin, request);
    for (const [request_id, mail, code] of wrong) {
      expect((await admin.rpc("erase_subject", { request_id, mail })).error?.code).toBe(code);
    }
    expect(await previewErasure(admin, request)).toEqual(before);
    expect(
      await backend.sql("select 1 as found from private.erasure_tombstones where reference = $1", [request.reference]),
    ).toEqual([]);
  });
});
