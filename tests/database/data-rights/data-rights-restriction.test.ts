import { expect, it } from "vitest";
import { restrictionNoticeDays } from "~/content/facts";
import { formatDay } from "~/lib/dates";
import { eachBackend } from "../support/backends.ts";
import { call } from "../support/admin.ts";
import { newAddress, sampleMail, useRequests } from "../support/data-rights.ts";
import { exampleMails, receiveMessage } from "../support/examples.ts";
import { countSubmissions, list } from "../support/inbox.ts";
import { claimMails, makeMailsDue } from "../support/mail.ts";
import { countRows, keepRetention, setRows } from "../support/retention.ts";

eachBackend("restriction", (backend) => {
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
    const found = await requests.find(request);
    expect(found).toMatchObject({ id: request.id, frozen_at: expect.any(String) });
    expect(found.events.at(-1)).toMatchObject({ action: "restricted", note: "Accuracy is contested" });
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
});
