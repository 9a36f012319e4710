import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { enterCode } from "./support/accounts.ts";
import { type Admin, call, newAdmin, useAdmin } from "./support/admin.ts";
import { eachPostgres } from "./support/backends.ts";
import { callReceive, newAddress, sampleMail, takeStep, useRequests } from "./support/data-rights.ts";
import { newFingerprint, receive, receiveMessage } from "./support/examples.ts";
import { sendReply } from "./support/inbox.ts";
import { join } from "./support/network.ts";
import { countRows, readRow } from "./support/retention.ts";

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

// One case for each lock.
eachPostgres("concurrent calls", (backend) => {
  const requests = useRequests(backend);
  const { admin } = requests;
  const colleague = useAdmin(backend);

  beforeAll(() => backend.exec(slowTables));

  const find = (submission_id: string) => admin.call("find_submission", { submission_id });

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
    const id = await receiveMessage(backend);
    const { version } = await find(id);
    const replies = await Promise.all([admin, colleague].map((from) => sendReply(from, id, {}, version)));
    expect(replies.toSorted()).toEqual(["PT409", true]);
  });

  it("logs a change of a message once when two admins make it", async () => {
    const submission_id = await receiveMessage(backend);
    const { version } = await find(submission_id);
    const mark = (as: Admin) => as.call("set_submission_state", { submission_id, state: "in_progress" }, version);
    expect(await Promise.all([mark(admin), mark(colleague)])).toEqual([null, null]);
    expect((await find(submission_id)).events).toHaveLength(1);
  });

  it("accepts one of two admins' reviews of a member", async () => {
    const { id } = await join(backend);
    const review = (as: Admin, action: string) =>
      as.call("review_network_member", { member_id: id, action, note: "Known", seen_version: 1 });
    const results = await Promise.all([review(admin, "admitted"), review(colleague, "declined")]);
    expect(results.toSorted()).toEqual(["PT409", null]);
  });

  it("allows five tries of a second factor per session", async () => {
    const [person, session] = [await backend.signIn(), randomUUID()];
    const use = () => enterCode(backend, "use_recovery_code", person, "none of theirs", session);
    const tries = await Promise.all(Array.from({ length: 8 }, use));
    expect(tries.toSorted()).toEqual([...Array(3).fill("wait"), ...Array(5).fill("wrong")]);
  });

  it("creates one request with two mails and two links from twenty equal calls", async () => {
    const email = newAddress();
    const results = await Promise.all(Array.from({ length: 20 }, () => callReceive(backend.service, { email })));
    expect(results.filter(({ data }) => data?.is_new)).toHaveLength(1);
    expect(new Set(results.map(({ data }) => data?.reference)).size).toBe(1);
    expect(await countRows(backend, "public.data_rights_requests", email, "email")).toBe(1);
    const { id } = (await readRow(backend, "public.data_rights_requests", email, "email")) as { id: string };
    expect(await countRows(backend, "private.email_outbox", id, "request_id")).toBe(2);
    expect(await countRows(backend, "private.data_rights_links", id, "request_id")).toBe(2);
  });

  it("confirms a request once", async () => {
    const request = await requests.receive();
    const confirm = () => requests.confirm(request.tokens.confirm);
    const results = await Promise.all([confirm(), confirm(), confirm(), confirm()]);
    expect(results.map((rows) => rows.length).toSorted()).toEqual([0, 0, 0, 1]);
    expect(await requests.readActions(request)).toEqual(["received", "confirmed"]);
  });

  it("queues a reminder once", async () => {
    const { id } = await requests.receiveConfirmed();
    const reminder = { request_id: id, reminder: "confirmed", mail: sampleMail };
    const queue = () => call(backend.service, "queue_reminder", reminder);
    const runs = await Promise.all(Array.from({ length: 8 }, queue));
    expect(runs.toSorted()).toEqual([...Array(7).fill(false), true]);
  });

  it("closes a request once when completion, refusal and withdrawal compete", async () => {
    const request = await requests.receiveConfirmed();
    const closings = await Promise.all([
      requests.take(request.id, "complete"),
      takeStep(colleague, request.id, "refuse", "No"),
      backend.client().rpc("withdraw_data_rights_request", { token: request.tokens.status }),
    ]);
    const done = closings.filter(({ data, error }) => !error && (data === null || data.length === 1));
    expect(done).toHaveLength(1);
    expect(await requests.readActions(request)).toHaveLength(3);
  });

  it("erases a person once when erasures of several requests compete", async () => {
    const email = newAddress();
    const first = await requests.receiveConfirmed({ email, type: "erasure" });
    const second = await requests.receiveConfirmed({ email, type: "object" });
    const results = await Promise.all(
      [first, second, first, second].map(({ id }) => admin.call("erase_subject", { request_id: id, mail: sampleMail })),
    );
    expect(results.toSorted()).toEqual(["P0002", "P0002", "P0002", expect.any(Object)]);
    const last = "select forget_when_delivered from private.email_outbox where recipient = $1";
    expect(await backend.sql(last, [email])).toEqual([{ forget_when_delivered: true }]);
  });

  it("keeps one of two admins who remove each other", async () => {
    const [one, other] = [await newAdmin(backend), await newAdmin(backend)];
    const removals = [one.call("remove_admin", { user_id: other.id }), other.call("remove_admin", { user_id: one.id })];
    expect((await Promise.all(removals)).toSorted()).toEqual(["42501", null]);
  });
});
