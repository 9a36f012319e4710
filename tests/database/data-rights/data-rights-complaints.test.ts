import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { acknowledgementLimits } from "~/content/facts";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import {
  findRow,
  newAddress,
  readActions,
  readDueDate,
  readMails,
  receiveConfirmed,
  receiveRequest,
  sampleMail,
  takeStep,
} from "../support/data-rights.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("complaints", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

  const call = async (name: string, token: string) =>
    (await backend.client().rpc(name, { token }).throwOnError()).data as unknown[];
  const findByConfirmLink = async (token: string) =>
    (await backend.client().rpc("find_data_rights_status", { token, purpose: "confirm" }).throwOnError()).data;
  const complain = (options: Parameters<typeof receiveRequest>[1] = {}) =>
    receiveRequest(backend, { type: "complaint", description: "You wrote to me twice.", ...options });

  it("opens a complaint immediately, due in 30 days, with nothing to confirm", async () => {
    const dueBefore = await readDueDate(backend);
    const complaint = await complain();
    const dueAfter = await readDueDate(backend);
    const row = await findRow(backend, complaint);
    expect([dueBefore, dueAfter]).toContain(row?.due_on);
    expect(row).toMatchObject({
      request_type: "complaint",
      state: "open",
      confirmed_at: null,
    });
    expect(await readActions(backend, complaint)).toEqual(["received"]);
    expect((await readMails(backend, complaint)).map(({ kind }) => kind)).toEqual([
      "request-acknowledgement",
      "request-firm",
    ]);
    expect(await findByConfirmLink(complaint.tokens.confirm)).toEqual([]);
    expect(await call("find_data_rights_status", complaint.tokens.status)).toMatchObject([{ state: "open" }]);
    expect((await complain({ email: complaint.email })).isNew).toBe(false);
  });

  it("reminds the firm before the due date, and never of a confirmation", async () => {
    const complaint = await complain();
    const findDue = async () => {
      const { data } = await backend.service.rpc("list_due_reminders").throwOnError();
      return data.find((row: { request_id: string }) => row.request_id === complaint.id)?.reminder as
        string | undefined;
    };
    expect(await findDue()).toBeUndefined();
    await backend.sql(
      "update public.data_rights_requests set due_on = (now() at time zone 'UTC')::date + 7 where id = $1 returning 1 as ok",
      [complaint.id],
    );
    expect(await findDue()).toBe("due-in-7-days");
  });

  it("allows no export, correction, restriction, refusal or erasure, because it proves no identity", async () => {
    const { id } = await complain();
    const note = "Because";
    const links = { confirm_token_hash: "0".repeat(64), status_token_hash: "1".repeat(64), mail: sampleMail };
    const calls: [string, Record<string, unknown>][] = [
      ["export_subject_data", {}],
      ["take_request_step", { step: "handOver", note, mail: sampleMail }],
      ["take_request_step", { step: "restrict", note }],
      ["correct_record", { record_id: id, field: "company", value: "Other" }],
      ["erase_subject", { mail: sampleMail, elsewhere: [] }],
      ["resend_request_links", { step: "resend", ...links }],
      ["take_request_step", { step: "extend", note, mail: sampleMail }],
      ["take_request_step", { step: "refuse", note, mail: sampleMail }],
      ["take_request_step", { step: "complete", note, mail: sampleMail }],
    ];
    for (const [name, parameters] of calls) {
      const { error } = await admin.rpc(name, { request_id: id, ...parameters });
      expect([name, error?.code]).toEqual([name, "55000"]);
    }
    const { data } = await admin.rpc("find_request", { request_id: id }).throwOnError();
    expect(data).toMatchObject({ erasure: null, messages: null, membership: null });
    expect(await findRow(backend, { id })).toMatchObject({ state: "open", extended_at: null, frozen_at: null });
  });

  it("closes a complaint by its outcome, or by withdrawal with the status link", async () => {
    const complaint = await complain();
    await takeStep(admin, complaint.id, "startWork").throwOnError();
    await takeStep(admin, complaint.id, "outcome", "You are right.").throwOnError();
    expect(await findRow(backend, complaint)).toMatchObject({ state: "completed" });
    expect((await readMails(backend, complaint)).map(({ kind }) => kind)).toContain("request-answer");
    const other = await complain();
    expect(await call("withdraw_data_rights_request", other.tokens.status)).toHaveLength(1);
    expect(await findRow(backend, other)).toMatchObject({ state: "withdrawn" });
  });

  it("restricts and erases complaints with the person's other data", async () => {
    const { email, id } = await complain();
    const request = await receiveConfirmed(backend, { email, type: "object" });
    await admin.rpc("take_request_step", { step: "restrict", request_id: request.id, note: "Disputed" }).throwOnError();
    expect(await findRow(backend, { id })).toMatchObject({ frozen_at: expect.any(String) });
    await admin.rpc("erase_subject", { request_id: request.id, mail: sampleMail, elsewhere: [] }).throwOnError();
    expect(await findRow(backend, { id })).toBeUndefined();
  });

  it("logs a withheld acknowledgement and lets an admin resend it with a new link", async () => {
    const email = newAddress();
    for (let i = 0; i < acknowledgementLimits.perMailboxAndDay; i++)
      await complain({ email, description: `Complaint ${i}` });
    const complaint = await complain({ email });
    expect(await readActions(backend, complaint)).toEqual(["received", "confirmation-withheld"]);
    expect(await call("find_data_rights_status", complaint.tokens.status)).toEqual([]);
    const status = newSecretToken();
    const again = {
      step: "acknowledge",
      request_id: complaint.id,
      status_token_hash: await digestOfToken(status),
      mail: sampleMail,
    };
    await admin.rpc("resend_request_links", again).throwOnError();
    expect(await call("find_data_rights_status", status)).toHaveLength(1);
    expect(await readActions(backend, complaint)).toContain("acknowledgement-resent");

    const request = await receiveConfirmed(backend);
    const refused = await admin.rpc("resend_request_links", { ...again, request_id: request.id });
    expect(refused.error?.code).toBe("55000");
    const stranger = await backend.client().rpc("resend_request_links", again);
    expect(stranger.error?.code).toBe("42501");
  });

  it("opens a complaint by letter without identification, unlike other requests", async () => {
    for (const is_identified of [false, true]) {
      const tokens = { confirm: newSecretToken(), status: newSecretToken() };
      const { data } = await admin
        .rpc("enter_request", {
          request: { request_type: "complaint", name: "Ada Lovelace", email: newAddress(), description: "By letter" },
          channel: "letter",
          received_on: new Date().toISOString().slice(0, 10),
          is_identified,
          confirm_token_hash: await digestOfToken(tokens.confirm),
          status_token_hash: await digestOfToken(tokens.status),
          mail: sampleMail,
        })
        .throwOnError();
      expect(await findRow(backend, { id: data as string })).toMatchObject({ state: "open", confirmed_at: null });
      expect(await findByConfirmLink(tokens.confirm)).toEqual([]);
      expect(await call("find_data_rights_status", tokens.status)).toHaveLength(1);
    }
    const unproved =
      "update public.data_rights_requests set confirmed_at = null where state = 'open' and request_type = 'access' returning 1 as ok";
    await receiveConfirmed(backend);
    await expect(backend.sql(unproved)).rejects.toThrow(/check constraint/);
  });
});
