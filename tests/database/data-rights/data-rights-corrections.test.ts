import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { restrictionNoticeDays } from "~/content/facts";
import { correctableFields } from "~/features/admin/rights-requests/correctable-fields";
import { formatDay } from "~/lib/dates";
import { contactFields } from "#supabase/functions/_shared/contact-fields.ts";
import { eachBackend } from "../support/backends.ts";
import { call } from "../support/admin.ts";
import { newAddress, sampleMail, useRequests } from "../support/data-rights.ts";
import { exampleMails, exampleSubmission, receiveMessage } from "../support/examples.ts";
import { countSubmissions, idsOf, list, readMessageActions } from "../support/inbox.ts";
import { claimMails, makeMailsDue } from "../support/mail.ts";
import { countRows, keepRetention, readRow, setRows } from "../support/retention.ts";

eachBackend("restriction and correction", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;

  const send = (email: string) =>
    receiveMessage(backend, { submission: { email }, mails: exampleMails.filter(({ kind }) => kind === "firm") });

  /** Restricts the data of a new person: a message, an older request, and the restriction request itself. */
  async function restrictNewSubject() {
    const email = newAddress();
    await send(email.toUpperCase());
    const older = await requests.receive({ email, type: "access" });
    const request = await requests.receiveConfirmed({ email, type: "restrict" });
    await requests.take(request.id, "restrict", "Accuracy is contested").throwOnError();
    return { email, older, request };
  }

  /** Counts what an admin finds under an address, by every available call. */
  async function findAll(email: string) {
    const rows = async (name: string, folder = "all") =>
      (await list(admin, { folder, search: email }, name)).rows.length;
    return {
      listed: await rows("read_inbox"),
      exported: await rows("export_submissions"),
      requestsListed: await rows("read_requests"),
      requestsRestricted: await rows("read_requests", "restricted"),
    };
  }

  /** Returns the kinds of mail that a worker can claim now for an address. */
  async function claimKinds(email: string) {
    await makeMailsDue(backend);
    const claimed = await claimMails(backend);
    const own = await backend.sql<{ id: string }>("select id from private.find_mails_of($1)", [email]);
    const ids = new Set(own.map(({ id }) => id));
    return claimed.flatMap(({ id, kind }) => (ids.has(id) ? [kind] : [])).toSorted();
  }

  it("hides everything from lists, exports, reads and counts, except in a separate folder, and from no erasure", async () => {
    const { all } = await countSubmissions(admin);
    const { email, request } = await restrictNewSubject();
    expect(await findAll(email)).toEqual({ listed: 0, exported: 0, requestsListed: 0, requestsRestricted: 2 });
    expect((await countSubmissions(admin)).all).toBe(all);
    expect(await requests.find(request)).toMatchObject({ id: request.id, frozen_at: expect.any(String) });
    await requests.erase(await requests.receiveConfirmed({ email, type: "erasure" })).throwOnError();
    expect(await countRows(backend, "public.contact_submissions", email, "lower(email)")).toBe(0);
  });

  it("holds back mail, except about data rights requests, and does not count it as waiting", async () => {
    const waiting = async () => (await call(backend.service, "outbox_status"))[0].waiting;
    await backend.sql("delete from private.email_outbox returning 1 as ok");
    const { email, request } = await restrictNewSubject();
    // The firm's mails about requests name a duty, and no personal data.
    expect(await claimKinds(email)).toEqual(["request-firm", "request-firm"]);
    expect(await waiting()).toBe(2);
    await requests.take(request.id, "complete").throwOnError();
    expect(await claimKinds(email)).toEqual(["request-answer", "request-firm", "request-firm"]);
    expect(await waiting()).toBe(3);
    await requests.take(request.id, "lift").throwOnError();
    await endToday(email);
    expect(await claimKinds(email)).toEqual([
      "firm",
      "request-acknowledgement",
      "request-acknowledgement",
      "request-answer",
      "request-answer",
      "request-firm",
      "request-firm",
    ]);
  });

  it("lets the person see the request, write and request again, and get a full export", async () => {
    const { email, older, request } = await restrictNewSubject();
    expect(await requests.findByStatus(request.tokens.status)).toMatchObject([{ state: "open" }]);
    expect(await requests.confirm(older.tokens.confirm)).toHaveLength(1);
    await send(email);
    await requests.receive({ email, description: "Something else" });
    expect(await findAll(email)).toMatchObject({ listed: 1, requestsListed: 1, requestsRestricted: 2 });
    const data = await requests.exportSubject(older);
    expect([data.submissions.length, data.requests.length]).toEqual([2, 3]);
  });

  it("counts an overdue request although no list shows it", async () => {
    const { counts } = await admin.call("read_requests");
    const { request } = await restrictNewSubject();
    await requests.set(request, "due_on = due_on - 40");
    expect((await admin.call("read_requests")).counts.overdue).toBe(counts.overdue + 1);
  });

  /** Sets the announced end to today and runs retention. */
  async function endToday(email: string) {
    const today = "case when restriction_ends_on is not null then (now() at time zone 'UTC')::date end";
    await setRows(backend, "public.data_rights_requests", email, `restriction_ends_on = ${today}`, "email");
    await keepRetention(backend);
  }

  it("announces the end a week ahead, and ends the restriction of all data on that day", async () => {
    const { email, older, request } = await restrictNewSubject();
    const lift = { step: "lift", request_id: older.id, note: "Corrected" };
    const announcement = { ...sampleMail, body: "It ends on {{restriction_ends_on}}." };
    await admin.rpc("take_request_step", { ...lift, mail: announcement }).throwOnError();
    const endsOn = new Date(Date.now() + restrictionNoticeDays * 86_400_000).toISOString().slice(0, 10);
    const mail = "select recipient, body from private.email_outbox where request_id = $1 and kind = 'request-answer'";
    expect(await backend.sql(mail, [older.id])).toEqual([
      { recipient: email, body: `It ends on ${formatDay(endsOn)}.` },
    ]);
    await keepRetention(backend);
    expect(await findAll(email)).toMatchObject({ listed: 0, requestsRestricted: 2 });

    await endToday(email);
    expect(await findAll(email)).toEqual({ listed: 1, exported: 1, requestsListed: 2, requestsRestricted: 0 });
    const log = [older, request].map((own) => requests.readActions(own));
    expect((await Promise.all(log)).flat().filter((action) => action === "restriction-lifted")).toHaveLength(1);
  });

  it("stays after a canceled announcement or a new restriction request", async () => {
    const { email, request } = await restrictNewSubject();
    expect((await requests.take(request.id, "lift", " ")).error?.code).toBe("22023");
    await requests.take(request.id, "lift").throwOnError();
    await requests.take(request.id, "keepRestriction").throwOnError();
    expect((await requests.readActions(request)).slice(-2)).toEqual(["restriction-ending", "restriction-kept"]);
    await endToday(email);
    expect(await findAll(email)).toMatchObject({ listed: 0, requestsRestricted: 2 });

    await requests.take(request.id, "lift").throwOnError();
    const again = await requests.receiveConfirmed({ email, type: "restrict", description: "Still disputed" });
    await requests.take(again.id, "restrict").throwOnError();
    await endToday(email);
    expect(await findAll(email)).toMatchObject({ listed: 0, requestsRestricted: 3 });
  });

  /** Creates a message, and its sender's confirmed request to correct it. */
  async function createCorrectionRequest() {
    const email = newAddress();
    const submission_id = await send(email.toUpperCase());
    const request = await requests.receiveConfirmed({ email, type: "rectification" });
    return { request, submission_id };
  }

  const correct = (request_id: string, submission_id: string, field: string | null, value: string | null) =>
    admin.rpc("correct_record", { request_id, record_id: submission_id, field, value });

  const read = (id: string) => readRow(backend, "public.contact_submissions", id);

  it("allows corrections of every text in the contact form except the address", () => {
    expect(correctableFields).toEqual(Object.keys(contactFields).filter((field) => field !== "email"));
  });

  it.each(correctableFields)(
    "changes the stored %s and logs a salted digest of the old text, not the text",
    async (field) => {
      const { request, submission_id } = await createCorrectionRequest();
      const { messages } = await requests.find(request);
      expect(messages).toMatchObject([{ id: submission_id, [field]: exampleSubmission[field] }]);
      await correct(request.id, submission_id, field, "Corrected 💚").throwOnError();
      expect(await read(submission_id)).toMatchObject({
        ...exampleSubmission,
        email: request.email.toUpperCase(),
        [field]: "Corrected 💚",
      });
      const { events } = await requests.find(request);
      expect(events.at(-1)).toMatchObject({
        action: "corrected",
        actor: admin.email,
        note: expect.stringMatching(
          `^${field} of message ${submission_id}. Salted SHA-256 of the old text: [0-9a-f]{96}$`,
        ),
      });
      const { note } = events.at(-1) as { note: string };
      const plain = createHash("sha256").update(exampleSubmission[field]).digest("hex");
      const [salt, digest] = [note.slice(-96, -64), note.slice(-64)];
      expect(digest).toBe(createHash("sha256").update(`${salt}${plain}`).digest("hex"));
      expect(note).not.toContain(plain);
      expect(await readMessageActions(backend, submission_id)).toEqual(["submission-corrected"]);
      expect(idsOf(await list(admin, { search: "corrected 💚" }))).toContain(submission_id);
    },
  );

  it("corrects restricted messages and deletes delivered copies of the firm's mail", async () => {
    const { request, submission_id } = await createCorrectionRequest();
    await requests.take(request.id, "restrict").throwOnError();
    const sent = "update private.email_outbox set delivered_at = now() where submission_id = $1 returning 1 as ok";
    await backend.sql(sent, [submission_id]);
    await correct(request.id, submission_id, "message", "Call me not.").throwOnError();
    expect(await read(submission_id)).toMatchObject({ message: "Call me not.", frozen_at: expect.anything() });
    expect(await countRows(backend, "private.email_outbox", submission_id, "submission_id")).toBe(0);
  });

  it("rejects other people's messages, other fields, and missing or overlong texts", async () => {
    const { request, submission_id } = await createCorrectionRequest();
    const other = await createCorrectionRequest();
    const refused: [string, string | null, string | null, string][] = [
      [other.submission_id, "name", "Mallory", "P0002"],
      [submission_id, "email", "mallory@example.com", "22023"],
      [submission_id, "id", submission_id, "22023"],
      [submission_id, null, "Mallory", "22023"],
      [submission_id, "name", null, "22023"],
      [submission_id, "name", "", "23514"],
      [submission_id, "name", "é".repeat(contactFields.name.limit + 1), "23514"],
    ];
    const before = [await read(submission_id), await read(other.submission_id)];
    for (const [record, field, value, code] of refused)
      expect([field, value, (await correct(request.id, record, field, value)).error?.code]).toEqual([
        field,
        value,
        code,
      ]);
    expect([await read(submission_id), await read(other.submission_id)]).toEqual(before);
  });
});
