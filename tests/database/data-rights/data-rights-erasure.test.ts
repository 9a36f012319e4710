import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { retention } from "~/content/facts";
import { eachBackend } from "../support/backends.ts";
import { newAddress, useRequests } from "../support/data-rights.ts";
import { mailsTo, receiveMessage } from "../support/examples.ts";
import { claimMails, settleMail } from "../support/mail.ts";
import { keepRetention, readRow, setRows } from "../support/retention.ts";
import { findTablesWith as findTablesOf } from "../../support/find-text.ts";

const digest = (email: string) => createHash("sha256").update(email).digest("hex");

eachBackend("export and erasure of a person's data", (backend) => {
  const requests = useRequests(backend);
  const { admin, erase, exportSubject } = requests;

  /** Receives a message, with mails to the sender and about them. */
  function send(email: string, message: string) {
    const mails = mailsTo(email).map((mail) => ({ ...mail, body: `${email} wrote: ${message}` }));
    return receiveMessage(backend, { submission: { email, message }, mails });
  }

  /** Creates a person with two messages and three requests: unconfirmed, withdrawn, and confirmed with this type. */
  async function createSubject(type: "erasure" | "access") {
    const email = newAddress();
    const submissions = [await send(email, "First words"), await send(email.toUpperCase(), "Second words")];
    // Dated back, because one mailbox gets few acknowledgements a day.
    await backend.sql("update private.email_outbox set created_at = now() - interval '2 days' returning 1 as ok");
    await requests.receive({ email: ` ${email} `, description: "Perhaps a stranger's" });
    const withdrawn = await requests.receive({ email, description: "Not any more" });
    await requests.withdraw(withdrawn.tokens.status);
    const request = await requests.receiveConfirmed({ email, type });
    await requests.take(request.id, "note", `Wrote to ${email}`).throwOnError();
    return { email, submissions, request };
  }

  /** Erases a new person. @returns the address and the last mail */
  async function eraseNewSubject() {
    const { email, request } = await createSubject("erasure");
    await erase(request).throwOnError();
    const mail = await readRow(backend, "private.email_outbox", email, "recipient");
    return { email, request, mail: { id: String(mail!.id) } };
  }

  const findTablesWith = (text: string) => findTablesOf((query, parameters) => backend.sql(query, parameters), text);

  const findTombstone = ({ reference }: { reference: string }) =>
    readRow(backend, "private.erasure_tombstones", reference, "reference");

  async function isDigestOf(salted: unknown, email: string) {
    const query = "select private.is_salted_digest_of($1, $2) as answer";
    return (await backend.sql<{ answer: boolean }>(query, [salted, digest(email)]))[0]?.answer;
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
    const data = await exportSubject(request);
    expect(data).toMatchObject({ reference: request.reference, email, earlier_erasures: [] });
    expect(data.submissions.map(({ id }: { id: string }) => id)).toEqual(submissions);
    expect(data.submissions[0]).toMatchObject({ message: "First words", state: "new", quarantine_reason: null });
    // Nothing proves that the requester sent it, so the IP address may be somebody else's.
    expect(data.submissions[0]).not.toHaveProperty("ip_address");
    for (const proof of ["consented_at", "consent_policy_version", "consent_text_hash"])
      expect(data.submissions[0]).toHaveProperty(proof);
    const states = data.requests.map(({ state }: { state: string }) => state).toSorted();
    expect(states).toEqual(["open", "unconfirmed", "withdrawn"]);
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
    expect(await findTablesWith(email)).toEqual(["private.email_outbox"]);

    const last = (await claimMails(backend)).filter(({ recipient }) => recipient === email);
    expect(last).toMatchObject([{ kind: "request-answer", subject: `Your request ${request.reference}` }]);
    await settleMail(backend, last[0]!, "retry").throwOnError();
    expect(await findTablesWith(email)).toEqual(["private.email_outbox"]);
    await settleMail(backend, last[0]!, "delivered").throwOnError();
    for (const text of [email, request.id, ...submissions]) expect(await findTablesWith(text)).toEqual([]);

    const tombstone = await findTombstone(request);
    expect(tombstone).toMatchObject({
      reference: request.reference,
      erased_by: admin.id,
      counts,
      email_hash: expect.stringMatching(/^[0-9a-f]{96}$/),
    });
    // No table of hashes reveals the address, but a given address can be checked.
    expect(tombstone!.email_hash).not.toContain(digest(email));
    expect(await isDigestOf(tombstone!.email_hash, email)).toBe(true);
    expect(await isDigestOf(tombstone!.email_hash, other.email)).toBe(false);
    expect(Date.now() - Date.parse(String(tombstone!.erased_at))).toBeLessThan(60_000);
    // The other person's data is unchanged.
    expect(await requests.previewErasure(other.request)).toEqual({ ...counts, mentions: 0 });
  });

  it("lists earlier erasures in a later export, and deletes their last mails with the next, or once refused", async () => {
    const { email, request } = await eraseNewSubject();
    const later = await requests.receiveConfirmed({ email });
    const data = await exportSubject(later);
    expect(data.earlier_erasures).toMatchObject([{ reference: request.reference, counts }]);
    expect(data.submissions).toEqual([]);
    const again = await requests.receiveConfirmed({ email, type: "erasure" });
    await erase(again).throwOnError();
    const waiting = "select id, subject from private.email_outbox where recipient = $1";
    const mails = await backend.sql<{ id: string; subject: string }>(waiting, [email]);
    expect(mails).toMatchObject([{ subject: `Your request ${again.reference}` }]);
    await settleMail(backend, mails[0]!, "rejected", "smtp-550").throwOnError();
    expect(await findTablesWith(email)).toEqual([]);
  });

  it("records where else the admin has erased the person, and rejects unknown places", async () => {
    const { request } = await createSubject("erasure");
    expect((await erase(request, { elsewhere: ["mailbox", "attic"] })).error?.code).toBe("23514");
    expect(await requests.findRow(request)).toMatchObject({ state: "open" });
    expect((await erase(request, { elsewhere: ["mailbox", "advisers"] })).error).toBeNull();
    expect(await findTombstone(request)).toMatchObject({ elsewhere: ["mailbox", "advisers"] });
  });

  it.each([
    ["stored as a file, until the retention of mails", "filed", "delivered_at", retention.mailDays],
    ["not sent, until no attempt can follow", null, "created_at", retention.mailDays + retention.mailAttemptDays],
  ])("keeps a last mail %s", async (_, outcome, column, days) => {
    const { email, mail } = await eraseNewSubject();
    if (outcome) await settleMail(backend, mail, outcome).throwOnError();
    for (const [age, tables] of [
      [days - 1, ["private.email_outbox"]],
      [days + 1, []],
    ] as const) {
      await setRows(backend, "private.email_outbox", mail.id, `${column} = now() - interval '${age} days'`);
      await keepRetention(backend);
      expect(await findTablesWith(email)).toEqual(tables);
    }
  });
});
