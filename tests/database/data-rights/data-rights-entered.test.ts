import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import { findRow, newAddress, readActions, readMails, sampleMail } from "../support/data-rights.ts";
import { signInAdmin } from "../support/test-backend.ts";

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

eachBackend("data rights requests entered by an admin", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

  async function enter(changes: Record<string, unknown> = {}) {
    const tokens = { confirm: newSecretToken(), status: newSecretToken() };
    const email = newAddress();
    const { data, error } = await admin.rpc("enter_request", {
      request: { request_type: "access", name: "Ada Lovelace", email, description: "By letter" },
      channel: "letter",
      received_on: daysAgo(12),
      is_identified: false,
      confirm_token_hash: await digestOfToken(tokens.confirm),
      status_token_hash: await digestOfToken(tokens.status),
      mail: sampleMail,
      ...changes,
    });
    return { id: data as string, email, tokens, code: error?.code };
  }

  const call = async (name: string, token: string) =>
    (await backend.client().rpc(name, { token }).throwOnError()).data as unknown[];

  it("sets the due date from the day of arrival and waits for confirmation", async () => {
    const entered = await enter();
    const [due] = await backend.sql<{ day: string }>("select private.data_rights_due_on($1::date)::text as day", [
      daysAgo(12),
    ]);
    expect(await findRow(backend, entered)).toMatchObject({ state: "unconfirmed", due_on: due!.day });
    expect(await readActions(backend, entered)).toEqual(["entered"]);
    expect(await readMails(backend, entered)).toMatchObject([
      { kind: "request-acknowledgement", recipient: entered.email },
    ]);
    expect(await call("find_data_rights_status", entered.tokens.status)).toHaveLength(1);
    expect(await call("confirm_data_rights_request", entered.tokens.confirm)).toHaveLength(1);
  });

  it("stores and mails a request once when the form is sent again after Back", async () => {
    const email = newAddress();
    const request = { request_type: "access", name: "Ada Lovelace", email, description: "By letter" };
    const first = await enter({ request });
    expect((await enter({ request })).id).toBe(first.id);
    expect(await readMails(backend, first)).toHaveLength(1);
    for (const other of [{ received_on: daysAgo(11) }, { request: { ...request, description: "By phone" } }])
      expect((await enter({ request, ...other })).id).not.toBe(first.id);
  });

  it("opens the request of an identified person immediately, without a mail to the firm", async () => {
    const entered = await enter({ is_identified: true });
    expect(await findRow(backend, entered)).toMatchObject({ state: "open", confirmed_at: expect.any(String) });
    expect(await call("confirm_data_rights_request", entered.tokens.confirm)).toHaveLength(0);
    const { data } = await backend.service.rpc("list_due_reminders").throwOnError();
    expect(data.map((row: { request_id: string }) => row.request_id)).not.toContain(entered.id);
    await admin.rpc("export_subject_data", { request_id: entered.id }).throwOnError();
  });

  it("rejects an unknown channel, an impossible day and missing texts", async () => {
    const refused: [Record<string, unknown>, string][] = [
      [{ channel: "pigeon" }, "22023"],
      [{ channel: null }, "22023"],
      [{ is_identified: null }, "22023"],
      [{ received_on: daysAgo(-1) }, "22023"],
      [{ received_on: daysAgo(91) }, "22023"],
      [{ received_on: null }, "22023"],
      [{ request: {} }, "23502"],
      [{ mail: null }, "22023"],
    ];
    for (const [changes, code] of refused) expect([changes, (await enter(changes)).code]).toEqual([changes, code]);
  });
});
