import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { eachPostgres } from "../support/backends.ts";
import {
  callReceive,
  newAddress,
  readActions,
  receiveConfirmed,
  receiveRequest,
  sampleMail,
} from "../support/data-rights.ts";
import { signInAdmin } from "../support/test-backend.ts";

/**
 * Delays every change to a request in the middle of its transaction, so that a caller who reads it without a lock reads
 * an outdated row.
 */
const slowRequests = `
  create function public.take_time() returns trigger language plpgsql as $$
  begin
    perform pg_sleep(0.15);
    return coalesce(new, old);
  end $$;
  grant execute on function public.take_time() to public;
  create trigger take_time before insert or update or delete on public.data_rights_requests
    for each row execute function public.take_time();`;

eachPostgres("concurrent data rights calls", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
    await backend.exec(slowRequests);
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
    const parameters = { request_id: request.id, reason: "Many", mail: sampleMail };
    const results = await Promise.all(Array.from({ length: 4 }, () => admin.rpc("extend_request", parameters)));
    expect(results.map(({ error }) => error?.code ?? "done").toSorted()).toEqual(["55000", "55000", "55000", "done"]);
    expect(await readActions(backend, request)).toEqual(["received", "confirmed", "extended"]);
  });

  it("closes a request once when completion, refusal and withdrawal compete", async () => {
    const request = await receiveConfirmed(backend);
    const closings = await Promise.all([
      admin.rpc("complete_request", { request_id: request.id, note: null, mail: sampleMail }),
      admin.rpc("refuse_request", { request_id: request.id, reason: "No", mail: sampleMail }),
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
});
