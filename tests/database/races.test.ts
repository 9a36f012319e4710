import { randomUUID } from "node:crypto";
import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { eachPostgres } from "./support/backends.ts";
import {
  callReceive,
  newAddress,
  readActions,
  receiveConfirmed,
  receiveRequest,
  sampleMail,
  takeStep,
} from "./support/data-rights.ts";
import { receive } from "./support/examples.ts";
import { join } from "./support/network.ts";
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

eachPostgres("concurrent calls", (backend) => {
  let admin: SupabaseClient;
  let colleague: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
    colleague = backend.client((await signInAdmin(backend)).token);
    await backend.exec(slowTables);
  });

  /** Stores a message; returns its id and version. */
  async function receiveMessage() {
    const { data } = await receive(backend.service).throwOnError();
    const submission_id = data.submission_id;
    return { submission_id, ...(await admin.rpc("find_submission", { submission_id }).throwOnError()).data };
  }

  it("stores one of two admins' replies to a message", async () => {
    const { submission_id, version } = await receiveMessage();
    const mail = { subject: "Re: Received", quotation: "You wrote:\n> Please call me." };
    const send = (from: SupabaseClient) =>
      from
        .rpc("send_reply", { submission_id, reply_id: randomUUID(), reply: "We can.", mail })
        .setHeader("x-seen-version", String(version));
    const results = await Promise.all([send(admin), send(colleague)]);
    expect(results.map(({ error }) => error?.code ?? "sent").toSorted()).toEqual(["PT409", "sent"]);
  });

  it("logs a change of a message once when two admins make it", async () => {
    const { submission_id, version } = await receiveMessage();
    const mark = (as: SupabaseClient) =>
      as
        .rpc("set_submission_state", { submission_id, state: "in_progress" })
        .setHeader("x-seen-version", String(version));
    const marked = await Promise.all([mark(admin), mark(colleague)]);
    expect(marked.map(({ error }) => error)).toEqual([null, null]);
    expect((await admin.rpc("find_submission", { submission_id }).throwOnError()).data.events).toHaveLength(1);
  });

  it("accepts one of two admins' reviews of a member", async () => {
    const { id } = await join(backend);
    const review = (as: SupabaseClient, action: string) =>
      as.rpc("review_network_member", { member_id: id, action, note: "Known", seen_version: 1 });
    const results = await Promise.all([review(admin, "admitted"), review(colleague, "declined")]);
    expect(results.map(({ error }) => error?.code ?? "done").toSorted()).toEqual(["PT409", "done"]);
  });

  it("allows five tries of a second factor per session", async () => {
    const attempt = { person: (await backend.signIn()).id, code_digest: "0".repeat(64), own_session: randomUUID() };
    const use = () => backend.service.rpc("use_recovery_code", attempt).throwOnError();
    const tries = await Promise.all(Array.from({ length: 8 }, use));
    expect(tries.map(({ data }) => data).toSorted()).toEqual([...Array(3).fill("wait"), ...Array(5).fill("wrong")]);
  });

  it("creates one request from equal concurrent calls", async () => {
    const email = newAddress();
    const results = await Promise.all(Array.from({ length: 5 }, () => callReceive(backend.service, { email })));
    expect(results.map(({ data }) => data?.is_new).toSorted()).toEqual([false, false, false, false, true]);
    expect(new Set(results.map(({ data }) => data?.reference)).size).toBe(1);
  });

  it("confirms a request once under concurrent calls", async () => {
    const request = await receiveRequest(backend);
    const confirm = () =>
      backend.client().rpc("confirm_data_rights_request", { token: request.tokens.confirm }).throwOnError();
    const results = await Promise.all([confirm(), confirm(), confirm(), confirm()]);
    expect(results.map(({ data }) => data.length).toSorted()).toEqual([0, 0, 0, 1]);
    expect(await readActions(backend, request)).toEqual(["received", "confirmed"]);
  });

  it("extends a request once under concurrent calls", async () => {
    const request = await receiveConfirmed(backend);
    const results = await Promise.all(Array.from({ length: 4 }, () => takeStep(admin, request.id, "extend")));
    expect(results.map(({ error }) => error?.code ?? "done").toSorted()).toEqual(["55000", "55000", "55000", "done"]);
    expect(await readActions(backend, request)).toEqual(["received", "confirmed", "extended"]);
  });

  it("closes a request once when completion, refusal and withdrawal compete", async () => {
    const request = await receiveConfirmed(backend);
    const closings = await Promise.all([
      takeStep(admin, request.id, "complete"),
      takeStep(admin, request.id, "refuse", "No"),
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
    expect(results.map(({ error }) => error?.code ?? "erased").toSorted()).toEqual([
      "P0002",
      "P0002",
      "P0002",
      "erased",
    ]);
    const last = "select forget_when_delivered from private.email_outbox where recipient = $1";
    expect(await backend.sql(last, [email])).toEqual([{ forget_when_delivered: true }]);
  });

  it("keeps one of two admins who remove each other", async () => {
    const [one, other] = [await signInAdmin(backend), await signInAdmin(backend)];
    const remove = ({ token }: Person, { id }: Person) => backend.client(token).rpc("remove_admin", { user_id: id });
    const results = await Promise.all([remove(one, other), remove(other, one)]);
    expect(results.map(({ error }) => error?.code ?? "done").toSorted()).toEqual(["42501", "done"]);
  });
});
