import { createHash, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { retention } from "~/content/facts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, sampleMail } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { keepRetention, setRows } from "../support/retention.ts";
import { findTablesWith as findTablesOf } from "../../support/find-text.ts";
import { useRequests } from "../support/requests.ts";

const digest = (email: string) => createHash("sha256").update(email).digest("hex");

eachBackend("export and erasure of a person's data", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;

  /**
   * Receives a message with its two mails.
   * @returns the submission's id
   */
  async function send(email: string, message: string) {
    const mails = [
      { kind: "firm", recipient: null, reply_to: email, subject: "From somebody", body: `${email} wrote: ${message}` },
      { kind: "acknowledgement", recipient: email, reply_to: null, subject: "Received", body: "Thank you." },
    ];
    return (await receive(backend.service, { submission: { email, message }, mails }).throwOnError()).data
      .submission_id;
  }

  /** Creates a person with two messages and three requests: unconfirmed, withdrawn, and confirmed with this type. */
  async function createSubject(type: "erasure" | "access") {
    const email = newAddress();
    const submissions = [await send(email, "First words"), await send(email.toUpperCase(), "Second words")];
    // Dated back, because one mailbox gets few acknowledgements a day.
    await backend.sql("update private.email_outbox set created_at = now() - interval '2 days' returning 1 as ok");
    await requests.receive({ email: ` ${email} `, description: "Perhaps a stranger's" });
    const withdrawn = await requests.receive({ email, description: "Not any more" });
    await requests.callByLink("withdraw_data_rights_request", withdrawn.tokens.status);
    const request = await requests.receiveConfirmed({ email, type });
    await requests.take(request.id, "note", `Wrote to ${email}`).throwOnError();
    return { email, submissions, request };
  }

  const erase = ({ id }: { id: string }, more = {}) =>
    admin.rpc("erase_subject", { request_id: id, mail: sampleMail, ...more });

  /** Erases a new person. @returns the address and the last mail */
  async function eraseNewSubject() {
    const { email, request } = await createSubject("erasure");
    await erase(request).throwOnError();
    const [mail] = await backend.sql<{ id: string }>("select id from private.email_outbox where recipient = $1", [
      email,
    ]);
    return { email, request, mail_id: mail!.id };
  }

  const settle = (mail_id: string, outcome: string, error_code: string | null = null) =>
    backend.service.rpc("settle_mails", { attempts: [{ mail_id, outcome, error_code }] }).throwOnError();

  const findTablesWith = (text: string) => findTablesOf((query, parameters) => backend.sql(query, parameters), text);

  async function findTombstone({ reference }: { reference: string }) {
    const [found] = await backend.sql<{ email_hash: string; erased_at: string | Date }>(
      "select * from private.erasure_tombstones where reference = $1",
      [reference],
    );
    return found!;
  }

  async function isDigestOf(salted: string, email: string) {
    const [row] = await backend.sql<{ answer: boolean }>("select private.is_salted_digest_of($1, $2) as answer", [
      salted,
      digest(email),
    ]);
    return row!.answer;
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
    for (const secret of [admin.id, request.tokens.status]) expect(text).not.toContain(secret);
  });

  it("previews the counts of an erasure and the mentions in other people's texts", async () => {
    const { email, request } = await createSubject("erasure");
    await send(newAddress(), `Ask ${email.toUpperCase()}, who knows`);
    const other = await requests.receive({ description: `As I told ${email}` });
    const preview = () => requests.previewErasure(request);
    expect(await preview()).toEqual({ ...counts, mentions: 2 });
    await requests.take(other.id, "note", `See ${email}`).throwOnError();
    await send(newAddress(), `Or ask ${email}`);
    expect(await preview()).toEqual({ ...counts, mentions: 3 });
    expect(await requests.findRow(request)).toMatchObject({ state: "open" });
  });

  it("erases everything except a tombstone and a last mail, which is deleted once delivered", async () => {
    const { email, submissions, request } = await createSubject("erasure");
    const other = await createSubject("erasure");
    expect((await erase(request).throwOnError()).data).toEqual(counts);
    expect(await requests.findRow(request)).toBeUndefined();
    expect(await findTablesWith(email)).toEqual(["private.email_outbox"]);

    const { data: due } = await backend.service.rpc("claim_due_mail", { batch_size: 100, lease_seconds: 60 });
    const last = due.filter(({ recipient }: { recipient: string }) => recipient === email);
    expect(last).toMatchObject([{ kind: "request-answer", subject: `Your request ${request.reference}` }]);
    await settle(last[0].id, "retry");
    expect(await findTablesWith(email)).toEqual(["private.email_outbox"]);
    await settle(last[0].id, "delivered");
    for (const text of [email, request.id, ...submissions]) expect(await findTablesWith(text)).toEqual([]);
    for (const token of [request.tokens.status, request.tokens.confirm])
      expect(await requests.callByLink("find_data_rights_status", token)).toEqual([]);

    const tombstone = await findTombstone(request);
    expect(tombstone).toMatchObject({
      reference: request.reference,
      erased_by: admin.id,
      counts,
      email_hash: expect.stringMatching(/^[0-9a-f]{96}$/),
    });
    // No table of hashes reveals the address, but a given address can be checked.
    expect(tombstone.email_hash).not.toContain(digest(email));
    expect(await isDigestOf(tombstone.email_hash, email)).toBe(true);
    expect(await isDigestOf(tombstone.email_hash, other.email)).toBe(false);
    expect(Date.now() - new Date(tombstone.erased_at).getTime()).toBeLessThan(60_000);
    // The other person's data is unchanged.
    expect(await requests.previewErasure(other.request)).toEqual({ ...counts, mentions: 0 });
  });

  it("salts the plain digest that a restore writes into a tombstone", async () => {
    const email = newAddress();
    const [{ kept } = { kept: "" }] = await backend.sql<{ kept: string }>(
      `insert into private.erasure_tombstones (reference, email_hash, counts, erased_by)
       values ('DR-GONE-2222', $1, '{}', $2) returning email_hash as kept`,
      [digest(email), randomUUID()],
    );
    expect(kept).toMatch(/^[0-9a-f]{96}$/);
    expect(kept).not.toContain(digest(email));
    expect(await isDigestOf(kept, email)).toBe(true);
  });

  it("lists earlier erasures in a later export under the same address, and deletes their last mail with the next", async () => {
    const { email, request } = await eraseNewSubject();
    const later = await requests.receiveConfirmed({ email });
    const { data } = await admin.rpc("export_subject_data", { request_id: later.id }).throwOnError();
    expect(data.earlier_erasures).toMatchObject([{ reference: request.reference, counts }]);
    expect(data.submissions).toEqual([]);
    const again = await requests.receiveConfirmed({ email, type: "erasure" });
    await erase(again).throwOnError();
    const waiting = await backend.sql("select subject from private.email_outbox where recipient = $1", [email]);
    expect(waiting).toEqual([{ subject: `Your request ${again.reference}` }]);
  });

  it("deletes the last mail after a permanent rejection", async () => {
    const { email, mail_id } = await eraseNewSubject();
    await settle(mail_id, "rejected", "smtp-550");
    expect(await findTablesWith(email)).toEqual([]);
  });

  it("records where else the admin has erased the person, and rejects unknown places", async () => {
    const { request } = await createSubject("erasure");
    expect((await erase(request, { elsewhere: ["mailbox", "attic"] })).error?.code).toBe("23514");
    expect(await requests.findRow(request)).toMatchObject({ state: "open" });
    expect((await erase(request, { elsewhere: ["mailbox", "advisers"] })).error).toBeNull();
    const tombstone = await findTombstone(request);
    expect(tombstone).toMatchObject({ reference: request.reference, elsewhere: ["mailbox", "advisers"] });
  });

  it.each([
    ["stored as a file, until the retention of mails", "filed", "delivered_at", retention.mailDays],
    ["not sent, until no attempt can follow", null, "created_at", retention.mailDays + retention.mailAttemptDays],
  ])("keeps a last mail %s", async (_, outcome, column, days) => {
    const { email, mail_id } = await eraseNewSubject();
    if (outcome) await settle(mail_id, outcome);
    for (const [age, tables] of [
      [days - 1, ["private.email_outbox"]],
      [days + 1, []],
    ] as const) {
      await setRows(backend, "private.email_outbox", mail_id, `${column} = now() - interval '${age} days'`);
      await keepRetention(backend);
      expect(await findTablesWith(email)).toEqual(tables);
    }
  });

  it("erases nothing without a mail", async () => {
    const { request } = await createSubject("erasure");
    const before = await requests.previewErasure(request);
    expect((await erase(request, { mail: { subject: "Erased", body: "" } })).error?.code).toBe("22023");
    expect(await requests.previewErasure(request)).toEqual(before);
    expect(await findTombstone(request)).toBeUndefined();
  });
});
