import { expect, it } from "vitest";
import { restrictionNoticeDays } from "~/content/facts";
import { formatDay } from "~/lib/dates";
import { eachBackend } from "../support/backends.ts";
import { newAddress, sampleMail } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { countSubmissions, list } from "../support/inbox.ts";
import { keepRetention, setRows } from "../support/retention.ts";
import { useRequests } from "../support/requests.ts";

eachBackend("restriction", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;

  async function send(email: string, message = "Please call me.") {
    const mails = [{ kind: "firm", recipient: null, reply_to: email, subject: "A message", body: message }];
    return (await receive(backend.service, { submission: { email, message }, mails }).throwOnError()).data
      .submission_id;
  }

  /** Restricts the data of a new person: a message, an older request, and the restriction request itself. */
  async function restrictNewSubject() {
    const email = newAddress();
    const submission = await send(email.toUpperCase());
    const older = await requests.receive({ email, type: "access" });
    const request = await requests.receiveConfirmed({ email, type: "restrict" });
    await requests.take(request.id, "restrict", "Accuracy is contested").throwOnError();
    return { email, submission, older, request };
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
    await backend.sql("update private.email_outbox set leased_until = null, next_attempt_at = now() returning 1 as ok");
    const { data } = await backend.service.rpc("claim_due_mail", { batch_size: 100, lease_seconds: 60 }).throwOnError();
    const own = await backend.sql<{ id: string }>("select id from private.find_mails_of($1)", [email]);
    const ids = new Set(own.map(({ id }) => id));
    return data
      .filter((mail: { id: string }) => ids.has(mail.id))
      .map((mail: { kind: string }) => mail.kind)
      .toSorted();
  }

  it("hides everything from lists, exports, reads and counts, except in a separate folder", async () => {
    const counts = async () => (await countSubmissions(admin)).all;
    const before = await counts();
    const { email, request } = await restrictNewSubject();
    expect(await findAll(email)).toEqual({
      listed: 0,
      exported: 0,
      requestsListed: 0,
      requestsRestricted: 2,
    });
    expect(await counts()).toBe(before);
    const { data: found } = await admin.rpc("find_request", { request_id: request.id }).throwOnError();
    expect(found).toMatchObject({ id: request.id, frozen_at: expect.any(String) });
    expect(found.events.at(-1)).toMatchObject({ action: "restricted", note: "Accuracy is contested" });
  });

  it("holds back mail, except about data rights requests, and does not count it as waiting", async () => {
    const waiting = async () =>
      (await backend.service.rpc("outbox_status").single<{ waiting: number }>()).data!.waiting;
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
    const status = await requests.callByLink("find_data_rights_status", request.tokens.status);
    expect(status).toMatchObject([{ state: "open" }]);
    expect(await requests.callByLink("confirm_data_rights_request", older.tokens.confirm)).toHaveLength(1);
    await send(email, "Something new");
    await requests.receive({ email, description: "Something else" });
    expect(await findAll(email)).toMatchObject({ listed: 1, requestsListed: 1, requestsRestricted: 2 });
    const { data } = await admin.rpc("export_subject_data", { request_id: older.id }).throwOnError();
    expect([data.submissions.length, data.requests.length]).toEqual([2, 3]);
  });

  const overdue = async () => (await admin.rpc("read_requests").throwOnError()).data.counts.overdue as number;

  it("counts an overdue request although no list shows it", async () => {
    const before = await overdue();
    const { request } = await restrictNewSubject();
    await requests.set(request, "due_on = due_on - 40");
    expect(await overdue()).toBe(before + 1);
  });

  /** Sets the announced end to today and runs retention. */
  async function endToday(email: string) {
    const today = "case when restriction_ends_on is not null then (now() at time zone 'UTC')::date end";
    await setRows(backend, "public.data_rights_requests", email, `restriction_ends_on = ${today}`, "email");
    await keepRetention(backend);
  }

  it("announces the end a week ahead, and ends the restriction of all data on that day", async () => {
    const { email, submission, older, request } = await restrictNewSubject();
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
    expect(await findAll(email)).toEqual({
      listed: 1,
      exported: 1,
      requestsListed: 2,
      requestsRestricted: 0,
    });
    const log = [older, request].map((own) => requests.readActions(own));
    expect((await Promise.all(log)).flat().filter((action) => action === "restriction-lifted")).toHaveLength(1);
    await requests.take(request.id, "complete").throwOnError();
    await admin.rpc("delete_submission", { submission_id: submission }).throwOnError();
  });

  it("stays after a canceled announcement or a new restriction request", async () => {
    const { email, request } = await restrictNewSubject();
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

  it("ends with the person's erasure", async () => {
    const { email } = await restrictNewSubject();
    const erasure = await requests.receiveConfirmed({ email, type: "erasure" });
    await admin.rpc("erase_subject", { request_id: erasure.id, mail: sampleMail }).throwOnError();
    expect(await backend.sql("select id from public.contact_submissions where lower(email) = $1", [email])).toEqual([]);
  });

  it("announces no end without a reason and a mail", async () => {
    const { request } = await restrictNewSubject();
    for (const parts of [
      { note: "", mail: sampleMail },
      { note: "Corrected", mail: null },
    ])
      expect(await admin.call("take_request_step", { step: "lift", request_id: request.id, ...parts })).toBe("22023");
  });
});
