import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { restrictionNoticeDays } from "~/content/facts";
import { formatDay } from "~/lib/dates";
import { eachBackend } from "../support/backends.ts";
import {
  findRow,
  newAddress,
  readActions,
  receiveConfirmed,
  receiveRequest,
  sampleMail,
  takeStep,
} from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { countSubmissions, list } from "../support/inbox.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("restriction", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

  async function send(email: string, message = "Please call me.") {
    const mails = [{ kind: "firm", recipient: null, reply_to: email, subject: "A message", body: message }];
    return (await receive(backend.service, { submission: { email, message }, mails })).data!.submission_id;
  }

  /** Restricts the data of a new person: a message, an older request, and the restriction request itself. */
  async function restrictNewSubject() {
    const email = newAddress();
    const submission = await send(email.toUpperCase());
    const older = await receiveRequest(backend, { email, type: "access" });
    const request = await receiveConfirmed(backend, { email, type: "restrict" });
    const parameters = { request_id: request.id, note: "Accuracy is contested" };
    await admin.rpc("take_request_step", { step: "restrict", ...parameters }).throwOnError();
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
    await takeStep(admin, request.id, "complete").throwOnError();
    expect(await claimKinds(email)).toEqual(["request-answer", "request-firm", "request-firm"]);
    expect(await waiting()).toBe(3);
    const lift = { request_id: request.id, note: "Corrected", mail: sampleMail };
    await admin.rpc("take_request_step", { step: "lift", ...lift }).throwOnError();
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
    const visitor = backend.client();
    const status = await visitor.rpc("find_data_rights_status", { token: request.tokens.status }).throwOnError();
    expect(status.data).toMatchObject([{ state: "open" }]);
    const confirmed = await visitor.rpc("confirm_data_rights_request", { token: older.tokens.confirm }).throwOnError();
    expect(confirmed.data).toHaveLength(1);
    await send(email, "Something new");
    await receiveRequest(backend, { email, description: "Something else" });
    expect(await findAll(email)).toMatchObject({ listed: 1, requestsListed: 1, requestsRestricted: 2 });
    const { data } = await admin.rpc("export_subject_data", { request_id: older.id }).throwOnError();
    expect([data.submissions.length, data.requests.length]).toEqual([2, 3]);
  });

  async function overdue(): Promise<number> {
    return (await admin.rpc("read_requests").throwOnError()).data.counts.overdue;
  }

  it("counts an overdue request although no list shows it", async () => {
    const before = await overdue();
    const { request } = await restrictNewSubject();
    const age = "update public.data_rights_requests set due_on = due_on - 40 where id = $1 returning 1 as ok";
    await backend.sql(age, [request.id]);
    expect(await overdue()).toBe(before + 1);
  });

  /** Sets the announced end to today and runs retention. */
  async function endToday(email: string) {
    await backend.sql(
      `update public.data_rights_requests set restriction_ends_on = (now() at time zone 'UTC')::date
       where email = $1 and restriction_ends_on is not null returning 1 as ok`,
      [email],
    );
    await backend.service.rpc("keep_retention", { source: "server" }).throwOnError();
  }

  const announce = { note: "Corrected", mail: { ...sampleMail, body: "It ends on {{restriction_ends_on}}." } };

  it("announces the end a week ahead, and ends the restriction of all data on that day", async () => {
    const { email, submission, older, request } = await restrictNewSubject();
    await admin.rpc("take_request_step", { step: "lift", request_id: older.id, ...announce }).throwOnError();
    const endsOn = new Date(Date.now() + restrictionNoticeDays * 86_400_000).toISOString().slice(0, 10);
    const mail = "select recipient, body from private.email_outbox where request_id = $1 and kind = 'request-answer'";
    expect(await backend.sql(mail, [older.id])).toEqual([
      { recipient: email, body: `It ends on ${formatDay(endsOn)}.` },
    ]);
    await backend.service.rpc("keep_retention", { source: "server" }).throwOnError();
    expect(await findAll(email)).toMatchObject({ listed: 0, requestsRestricted: 2 });
    expect(
      (await admin.rpc("take_request_step", { step: "lift", request_id: request.id, ...announce })).error?.code,
    ).toBe("55000");

    await endToday(email);
    expect(await findAll(email)).toEqual({
      listed: 1,
      exported: 1,
      requestsListed: 2,
      requestsRestricted: 0,
    });
    const log = [older, request].map((own) => readActions(backend, own));
    expect((await Promise.all(log)).flat().filter((action) => action === "restriction-lifted")).toHaveLength(1);
    await takeStep(admin, request.id, "complete").throwOnError();
    await admin.rpc("delete_submission", { submission_id: submission }).throwOnError();
    expect(
      (await admin.rpc("take_request_step", { step: "lift", request_id: request.id, ...announce })).error?.code,
    ).toBe("55000");
  });

  it("stays after a canceled announcement or a new restriction request", async () => {
    const { email, request } = await restrictNewSubject();
    const keep = () =>
      admin.rpc("take_request_step", {
        step: "keepRestriction",
        request_id: request.id,
        note: "Objection",
        mail: sampleMail,
      });
    expect((await keep()).error?.code).toBe("55000");
    await admin.rpc("take_request_step", { step: "lift", request_id: request.id, ...announce }).throwOnError();
    await keep().throwOnError();
    expect((await readActions(backend, request)).slice(-2)).toEqual(["restriction-ending", "restriction-kept"]);
    await endToday(email);
    expect(await findAll(email)).toMatchObject({ listed: 0, requestsRestricted: 2 });

    await admin.rpc("take_request_step", { step: "lift", request_id: request.id, ...announce }).throwOnError();
    const again = await receiveConfirmed(backend, { email, type: "restrict", description: "Still disputed" });
    await admin
      .rpc("take_request_step", { step: "restrict", request_id: again.id, note: "Still disputed" })
      .throwOnError();
    await endToday(email);
    expect(await findAll(email)).toMatchObject({ listed: 0, requestsRestricted: 3 });
  });

  it("ends with the person's erasure", async () => {
    const { email } = await restrictNewSubject();
    const erasure = await receiveConfirmed(backend, { email, type: "erasure" });
    await admin.rpc("erase_subject", { request_id: erasure.id, mail: sampleMail }).throwOnError();
    expect(await backend.sql("select id from public.contact_submissions where lower(email) = $1", [email])).toEqual([]);
  });

  it("requires a confirmed request of its type and a reason, and happens once", async () => {
    const { request } = await restrictNewSubject();
    const open = await receiveConfirmed(backend, { type: "restrict" });
    const wrong: [string, string | null, string][] = [
      [request.id, "Again", "55000"],
      [(await receiveRequest(backend, { type: "restrict" })).id, "Too early", "55000"],
      [(await receiveConfirmed(backend, { type: "access" })).id, "Not asked for", "55000"],
      [open.id, " ", "22023"],
      [open.id, null, "22023"],
    ];
    for (const [request_id, reason, code] of wrong) {
      expect((await admin.rpc("take_request_step", { step: "restrict", request_id, note: reason })).error?.code).toBe(
        code,
      );
    }
    expect(await findRow(backend, open)).toMatchObject({ frozen_at: null });
    const lift = (reason: string, mail: unknown) =>
      admin.rpc("take_request_step", { step: "lift", request_id: request.id, note: reason, mail });
    expect((await lift("", sampleMail)).error?.code).toBe("22023");
    expect((await lift("Corrected", null)).error?.code).toBe("22023");
    expect(await findRow(backend, request)).toMatchObject({ frozen_at: expect.any(String) });
  });
});
