import { randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import type { DataRightsRequestType } from "#supabase/functions/_shared/data-rights-request.ts";
import { call, useAdmin } from "../support/admin.ts";
import { eachBackend } from "../support/backends.ts";
import { findRow, newAddress, receiveConfirmed, receiveRequest, sampleMail, takeStep } from "../support/data-rights.ts";
import { receiveMessage } from "../support/examples.ts";
import { listMails } from "../support/mail.ts";
import { useNetwork } from "../support/network.ts";
import { ago, countRows, keepRetention, nothingDeleted, setRows } from "../support/retention.ts";

/** Tables whose foreign keys block deletion, as a table added by hand would. */
const keepers = `
  create table private.keeps_submissions (id uuid references public.contact_submissions (id));
  create table private.keeps_mails (id uuid references private.email_outbox (id));
  create table private.keeps_consents (id text references public.user_consents (session_id));
  create table private.keeps_members (id uuid references public.network_members (id));`;

eachBackend("retention of what a request or a constraint keeps", (backend) => {
  const admin = useAdmin(backend);
  const network = useNetwork(backend);

  beforeAll(() => backend.exec(keepers));

  const submissions = "public.contact_submissions";
  const requests = "public.data_rights_requests";
  const outbox = "private.email_outbox";
  const complete = ({ id }: { id: string }) => takeStep(admin.client, id, "complete").throwOnError();

  /** Creates a message, its mail and a closed request, all past their retention periods. */
  async function createExpiredData() {
    const email = newAddress();
    const submission_id = await receiveMessage(backend, { submission: { email: email.toUpperCase() } });
    const closed = await receiveConfirmed(backend, { email, type: "other" });
    await complete(closed);
    await setRows(backend, requests, closed.id, `closed_at = ${ago("5 years")}`);
    await setRows(backend, submissions, submission_id, `created_at = ${ago("5 years")}`);
    await setRows(backend, outbox, submission_id, `delivered_at = ${ago("5 years")}`, "submission_id");
    const left = async () => [
      await countRows(backend, submissions, submission_id),
      await countRows(backend, outbox, submission_id, "submission_id"),
      await countRows(backend, requests, closed.id),
    ];
    return { email, submission_id, left };
  }

  it.each<DataRightsRequestType>(["access", "portability", "restrict"])(
    "keeps expired data while a request of type %s is open, and deletes it afterwards",
    async (type) => {
      const { email, submission_id, left } = await createExpiredData();
      const request = await receiveConfirmed(backend, { email, type });
      expect(await admin.call("delete_submission", { submission_id })).toBe("55006");
      await keepRetention(backend);
      expect(await left()).toEqual([1, 2, 1]);
      await complete(request);
      await keepRetention(backend);
      expect(await left()).toEqual([0, 0, 0]);
    },
  );

  it("deletes expired data despite an unconfirmed request or one of another type", async () => {
    const { email, submission_id, left } = await createExpiredData();
    await receiveRequest(backend, { email, type: "access" });
    await receiveConfirmed(backend, { email, type: "object" });
    expect(await admin.call("delete_submission", { submission_id })).toBeNull();
    await keepRetention(backend);
    expect(await left()).toEqual([0, 0, 0]);
  });

  it("erases expired data for an erasure request despite an open access request", async () => {
    const { email, left } = await createExpiredData();
    await receiveConfirmed(backend, { email, type: "access" });
    const erasure = await receiveConfirmed(backend, { email, type: "erasure" });
    await admin.client.rpc("erase_subject", { request_id: erasure.id, mail: sampleMail }).throwOnError();
    expect(await left()).toEqual([0, 0, 0]);
  });

  it("ends both links 90 days after their request was closed, and none earlier", async () => {
    const closeAgo = async (time: string) => {
      const { id, tokens } = await receiveRequest(backend);
      const token = tokens.status;
      await backend.client().rpc("withdraw_data_rights_request", { token }).throwOnError();
      await setRows(backend, requests, id, `closed_at = ${ago(time)}, received_at = ${ago("1 year")}`);
      return { id, shown: await call(backend.client(), "find_data_rights_status", { token }) };
    };
    const [old, young] = [await closeAgo("90 days 1 second"), await closeAgo("89 days 23 hours")];
    expect([old.shown.length, young.shown.length]).toEqual([0, 1]);
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, links: 2 });
    const countLinks = ({ id }: { id: string }) => countRows(backend, "private.data_rights_links", id, "request_id");
    expect([await countLinks(old), await countLinks(young)]).toEqual([0, 2]);
  });

  it("keeps restricted data, and deletes it a run after the one that ends the restriction", async () => {
    const email = newAddress();
    const submission_id = await receiveMessage(backend, { submission: { email } });
    const request = await receiveConfirmed(backend, { email, type: "restrict" });
    const step = (name: string) => takeStep(admin.client, request.id, name).throwOnError();
    await step("restrict");
    await complete(request);
    await setRows(backend, submissions, submission_id, `created_at = ${ago("5 years")}`);
    await setRows(backend, requests, request.id, `closed_at = ${ago("5 years")}`);
    await setRows(backend, outbox, request.id, `delivered_at = ${ago("1 year")}`, "request_id");
    expect(await keepRetention(backend)).toEqual(nothingDeleted);
    await step("lift");
    await setRows(backend, requests, request.id, "restriction_ends_on = (now() at time zone 'UTC')::date");
    expect(await keepRetention(backend)).toEqual(nothingDeleted);
    expect(await findRow(backend, request)).toMatchObject({ frozen_at: null, restriction_ends_on: null });
    expect(await keepRetention(backend)).toMatchObject({ submissions: 1, requests: 1 });
  });

  const createMessage = () => receiveMessage(backend);
  const createMail = async () => (await listMails(backend, "submission_id = $1", [await createMessage()]))[0]!.id;
  const createMember = async () => (await network.join()).id;
  async function createConsent() {
    const session = randomBytes(16).toString("hex");
    await backend.exec(
      `insert into public.user_consents (session_id, analytics_consent, marketing_consent, functional_consent, consent_version, updated_at)
       values ('${session}', true, false, true, '1.0', now())`,
    );
    return session;
  }

  it.each([
    ["submissions", createMessage, "public.contact_submissions", "id", `created_at = ${ago("3 years")}`],
    ["mails", createMail, "private.email_outbox", "id", `delivered_at = ${ago("40 days")}`],
    ["consents", createConsent, "public.user_consents", "session_id", `updated_at = ${ago("3 years")}`],
    ["members", createMember, "public.network_members", "id", `unsubscribed_at = ${ago("8 days")}`],
  ])("counts undeletable %s, deletes all others, and retries in the next run", async (kind, create, ...row) => {
    const [table, column, due] = row;
    const [kept, gone] = [await create(), await create()];
    for (const id of [kept, gone]) await setRows(backend, table, id, due, column);
    const left = () => Promise.all([kept, gone].map((id) => countRows(backend, table, id, column)));
    await backend.exec(`insert into private.keeps_${kind} values ('${kept}')`);
    expect(await keepRetention(backend)).toMatchObject({ [kind]: 1, [`${kind}_refused`]: 1 });
    expect(await left()).toEqual([1, 0]);
    await backend.exec(`delete from private.keeps_${kind}`);
    expect(await keepRetention(backend)).toMatchObject({ [kind]: 1 });
    expect(await left()).toEqual([0, 0]);
  });

  const readLastRun = async () => (await admin.call("read_inbox")).retention?.ran_at;
  it("does not report an incomplete run to admins as the last one", async () => {
    await keepRetention(backend);
    const before = await readLastRun();
    expect(before).toBeDefined();
    const held = await receiveMessage(backend);
    await setRows(backend, "public.contact_submissions", held, `created_at = ${ago("3 years")}`);
    await backend.exec(`insert into private.keeps_submissions values ('${held}')`);
    expect(await keepRetention(backend)).toMatchObject({ submissions_refused: 1 });
    expect(await readLastRun()).toBe(before);
  });
});
