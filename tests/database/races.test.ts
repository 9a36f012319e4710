import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { type Admin, useAdmin } from "./support/admin.ts";
import { eachPostgres } from "./support/backends.ts";
import {
  callByLink,
  callReceive,
  newAddress,
  readActions,
  receiveConfirmed,
  receiveRequest,
  sampleMail,
  takeStep,
} from "./support/data-rights.ts";
import { newFingerprint, receive } from "./support/examples.ts";
import { join } from "./support/network.ts";
import { countRows } from "./support/retention.ts";
import { type Person, signInAdmin } from "./support/test-backend.ts";

/**
 * Delays a change to these tables in the middle of its transaction, so that a call that reads without a lock reads an
 * outdated row.
 */
const slowTables = `
  create function public.take_time() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(0.15);
    return coalesce(new, old);
  end $$;
  grant execute on function public.take_time() to public;
  create trigger take_time before insert or update or delete on public.data_rights_requests
    for each row execute function public.take_time();
  create trigger take_time before update on public.contact_submissions
    for each row execute function public.take_time();
  create trigger take_time before update on public.network_members
    for each row execute function public.take_time();
  create trigger take_time before delete on public.user_roles for each row execute function public.take_time();
  create trigger take_time before insert on private.second_factor_attempts
    for each row execute function public.take_time();`;

const outcomes = (results: { error: { code: string } | null }[]) =>
  results.map(({ error }) => error?.code ?? "done").toSorted();

// One case for each lock.
eachPostgres("concurrent calls", (backend) => {
  const admin = useAdmin(backend);
  const colleague = useAdmin(backend);

  beforeAll(() => backend.exec(slowTables));

  /** Stores a message; returns its id and version. */
  async function receiveMessage() {
    const { submission_id } = (await receive(backend.service).throwOnError()).data;
    return { submission_id, ...(await admin.rpc("find_submission", { submission_id }).throwOnError()).data };
  }

  it("stores one message with two mails from twenty equal posts", async () => {
    const fingerprint = newFingerprint();
    const posts = Array.from({ length: 20 }, () => receive(backend.service, { fingerprint }).throwOnError());
    const results = await Promise.all(posts);
    const [id, ...others] = new Set(results.map(({ data }) => data.submission_id));
    expect(others).toEqual([]);
    expect(results.filter(({ data }) => data.is_new)).toHaveLength(1);
    expect(await countRows(backend, "public.contact_submissions", id!)).toBe(1);
    expect(await countRows(backend, "private.email_outbox", id!, "submission_id")).toBe(2);
    expect(await countRows(backend, "private.contact_receipts", fingerprint, "fingerprint")).toBe(1);
  });

  it("stores one of two admins' replies to a message", async () => {
    const { submission_id, version } = await receiveMessage();
    const mail = { subject: "Re: Received", quotation: "You wrote:\n> Please call me." };
    const send = (from: Admin) =>
      from
        .rpc("send_reply", { submission_id, reply_id: randomUUID(), reply: "We can.", mail })
        .setHeader("x-seen-version", String(version));
    expect(outcomes(await Promise.all([send(admin), send(colleague)]))).toEqual(["PT409", "done"]);
  });

  it("logs a change of a message once when two admins make it", async () => {
    const { submission_id, version } = await receiveMessage();
    const mark = (as: Admin) =>
      as
        .rpc("set_submission_state", { submission_id, state: "in_progress" })
        .setHeader("x-seen-version", String(version));
    expect(outcomes(await Promise.all([mark(admin), mark(colleague)]))).toEqual(["done", "done"]);
    expect((await admin.rpc("find_submission", { submission_id }).throwOnError()).data.events).toHaveLength(1);
  });

  it("accepts one of two admins' reviews of a member", async () => {
    const { id } = await join(backend);
    const review = (as: Admin, action: string) =>
      as.rpc("review_network_member", { member_id: id, action, note: "Known", seen_version: 1 });
    const results = await Promise.all([review(admin, "admitted"), review(colleague, "declined")]);
    expect(outcomes(results)).toEqual(["PT409", "done"]);
  });

  it("allows five tries of a second factor per session", async () => {
    const attempt = { person: (await backend.signIn()).id, code_digest: "0".repeat(64), own_session: randomUUID() };
    const use = () => backend.service.rpc("use_recovery_code", attempt).throwOnError();
    const tries = await Promise.all(Array.from({ length: 8 }, use));
    expect(tries.map(({ data }) => data).toSorted()).toEqual([...Array(3).fill("wait"), ...Array(5).fill("wrong")]);
  });

  it("creates one request with two mails and two links from twenty equal calls", async () => {
    const email = newAddress();
    const results = await Promise.all(Array.from({ length: 20 }, () => callReceive(backend.service, { email })));
    expect(results.filter(({ data }) => data?.is_new)).toHaveLength(1);
    expect(new Set(results.map(({ data }) => data?.reference)).size).toBe(1);
    const [{ id }, ...others] = (await backend.sql<{ id: string }>(
      "select id from public.data_rights_requests where email = $1",
      [email],
    )) as [{ id: string }];
    expect(others).toEqual([]);
    expect(await countRows(backend, "private.email_outbox", id, "request_id")).toBe(2);
    expect(await countRows(backend, "private.data_rights_links", id, "request_id")).toBe(2);
  });

  it("confirms a request once", async () => {
    const request = await receiveRequest(backend);
    const confirm = () => callByLink(backend, "confirm_data_rights_request", request.tokens.confirm);
    const results = await Promise.all([confirm(), confirm(), confirm(), confirm()]);
    expect(results.map((rows) => rows.length).toSorted()).toEqual([0, 0, 0, 1]);
    expect(await readActions(backend, request)).toEqual(["received", "confirmed"]);
  });

  it("queues a reminder once", async () => {
    const { id } = await receiveConfirmed(backend);
    const queue = () =>
      backend.service.rpc("queue_reminder", { request_id: id, reminder: "confirmed", mail: sampleMail }).throwOnError();
    const runs = await Promise.all(Array.from({ length: 8 }, queue));
    expect(runs.filter(({ data }) => data)).toHaveLength(1);
  });

  it("closes a request once when completion, refusal and withdrawal compete", async () => {
    const request = await receiveConfirmed(backend);
    const closings = await Promise.all([
      takeStep(admin, request.id, "complete"),
      takeStep(colleague, request.id, "refuse", "No"),
      backend.client().rpc("withdraw_data_rights_request", { token: request.tokens.status }),
    ]);
    const done = closings.filter(({ data, error }) => !error && (data === null || data.length === 1));
    expect(done).toHaveLength(1);
    expect(await readActions(backend, request)).toHaveLength(3);
  });

  it("erases a person once when erasures of several requests compete", async () => {
    const email = newAddress();
    const first = await receiveConfirmed(backend, { email, type: "erasure" });
    const second = await receiveConfirmed(backend, { email, type: "object" });
    const results = await Promise.all(
      [first, second, first, second].map(({ id }) => admin.rpc("erase_subject", { request_id: id, mail: sampleMail })),
    );
    expect(outcomes(results)).toEqual(["P0002", "P0002", "P0002", "done"]);
    const last = "select forget_when_delivered from private.email_outbox where recipient = $1";
    expect(await backend.sql(last, [email])).toEqual([{ forget_when_delivered: true }]);
  });

  it("keeps one of two admins who remove each other", async () => {
    const [one, other] = [await signInAdmin(backend), await signInAdmin(backend)];
    const remove = ({ token }: Person, { id }: Person) => backend.client(token).rpc("remove_admin", { user_id: id });
    expect(outcomes(await Promise.all([remove(one, other), remove(other, one)]))).toEqual(["42501", "done"]);
  });
});
