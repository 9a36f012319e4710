import type { SupabaseClient } from "@supabase/supabase-js";
import { randomBytes } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { digestOfToken, newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { eachBackend } from "../support/backends.ts";
import {
  findRow,
  readActions,
  readMails,
  type ReceivedRequest,
  receiveConfirmed,
  receiveRequest,
} from "../support/data-rights.ts";

const functions = ["confirm_data_rights_request", "find_data_rights_status", "withdraw_data_rights_request"] as const;

eachBackend("links of a data rights request", (backend) => {
  let visitor: SupabaseClient;

  beforeAll(async () => {
    visitor = backend.client();
  });

  async function call(name: (typeof functions)[number], token: string | null, client = visitor) {
    const { data, error } = await client.rpc(name, { token });
    expect(error).toBeNull();
    return data as Record<string, unknown>[];
  }

  async function findByConfirmLink(token: string | null, client = visitor) {
    const { data, error } = await client.rpc("find_data_rights_status", { token, purpose: "confirm" });
    expect(error).toBeNull();
    return data as Record<string, unknown>[];
  }

  async function expire(request: ReceivedRequest) {
    await backend.sql(
      "update private.data_rights_links set expires_at = now() - interval '1 second' where request_id = $1 and purpose = 'confirm' returning 1 as ok",
      [request.id],
    );
  }

  it("shows the request any number of times without confirming it", async () => {
    const request = await receiveRequest(backend, { type: "erasure" });
    const before = await findRow(backend, request);
    for (let i = 0; i < 3; i += 1) {
      expect(await findByConfirmLink(request.tokens.confirm)).toEqual([
        {
          reference: request.reference,
          request_type: "erasure",
          state: "unconfirmed",
          received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          due_on: before!.due_on,
          confirmed_at: null,
          extended_at: null,
          closed_at: null,
          package_until: null,
        },
      ]);
    }
    expect(await findRow(backend, request)).toEqual(before);
    expect(await readActions(backend, request)).toEqual(["received"]);
  });

  it("confirms a request once, after which the confirmation link confirms nothing", async () => {
    const request = await receiveRequest(backend);
    expect(await call("confirm_data_rights_request", request.tokens.confirm)).toEqual([
      { reference: request.reference },
    ]);
    expect(await findRow(backend, request)).toMatchObject({ state: "open", confirmed_at: expect.any(String) });
    const used = "select purpose from private.data_rights_links where request_id = $1 and used_at is not null";
    expect(await backend.sql(used, [request.id])).toEqual([{ purpose: "confirm" }]);
    const confirmed = await findRow(backend, request);
    expect(await call("confirm_data_rights_request", request.tokens.confirm)).toEqual([]);
    expect(await findRow(backend, request)).toEqual(confirmed);
    expect(await readActions(backend, request)).toEqual(["received", "confirmed"]);
  });

  it("show a confirmed request for an hour, and not with the status link", async () => {
    const request = await receiveRequest(backend);
    const { confirm, status } = request.tokens;
    await call("confirm_data_rights_request", confirm);
    const [shown] = await findByConfirmLink(confirm);
    expect([shown]).toEqual(await call("find_data_rights_status", status));
    expect([shown]).toMatchObject([{ reference: request.reference, state: "open" }]);
    expect(await findByConfirmLink(status)).toEqual([]);
    const wait = "update private.data_rights_links set used_at = now() - interval '61 minutes' where request_id = $1";
    await backend.sql(`${wait} and purpose = 'confirm' returning 1 as ok`, [request.id]);
    expect(await findByConfirmLink(confirm)).toEqual([]);
  });

  it("rejects an expired confirmation link while the status link still works", async () => {
    const request = await receiveRequest(backend);
    await expire(request);
    expect(await findByConfirmLink(request.tokens.confirm)).toEqual([]);
    expect(await call("confirm_data_rights_request", request.tokens.confirm)).toEqual([]);
    expect(await findRow(backend, request)).toMatchObject({ state: "unconfirmed", confirmed_at: null });
    expect(await call("find_data_rights_status", request.tokens.status)).toMatchObject([{ state: "unconfirmed" }]);
  });

  it("shows state and dates by the status link, and no personal data", async () => {
    const request = await receiveConfirmed(backend);
    const [status, ...others] = await call("find_data_rights_status", request.tokens.status);
    expect(others).toEqual([]);
    expect(Object.keys(status!)).toEqual([
      "reference",
      "request_type",
      "state",
      "received_at",
      "due_on",
      "confirmed_at",
      "extended_at",
      "closed_at",
      "package_until",
    ]);
    expect(status).toMatchObject({ reference: request.reference, state: "open", extended_at: null, closed_at: null });
  });

  it.each(["unconfirmed", "open", "in_progress"])("withdraws a request in the state %s once", async (state) => {
    const request = await (state === "unconfirmed" ? receiveRequest : receiveConfirmed)(backend);
    const set = "update public.data_rights_requests set state = $2 where id = $1 returning 1 as ok";
    await backend.sql(set, [request.id, state]);
    const results = await Promise.all(
      Array.from({ length: 5 }, () => call("withdraw_data_rights_request", request.tokens.status)),
    );
    expect(results.flat()).toEqual([{ reference: request.reference }]);
    expect(await findRow(backend, request)).toMatchObject({ state: "withdrawn", closed_at: expect.any(String) });
    expect((await readActions(backend, request)).at(-1)).toBe("withdrawn");
    expect(await call("find_data_rights_status", request.tokens.status)).toMatchObject([{ state: "withdrawn" }]);
    expect(await call("confirm_data_rights_request", request.tokens.confirm)).toEqual([]);
  });

  it("rejects tokens of the other purpose, digests and forged tokens", async () => {
    const request = await receiveRequest(backend);
    const before = await findRow(backend, request);
    const { confirm, status } = request.tokens;
    const forged = [
      newSecretToken(),
      await digestOfToken(confirm),
      await digestOfToken(status),
      `${confirm.slice(0, -1)}${confirm.endsWith("A") ? "B" : "A"}`,
      `${confirm}A`,
      ` ${confirm}`,
      `${confirm}\n`,
      confirm.slice(1),
      randomBytes(32).toString("base64"),
      "%",
      "",
      "' or true --",
      "a".repeat(100_000),
      null,
    ];
    for (const token of forged) {
      expect(await findByConfirmLink(token)).toEqual([]);
      for (const name of functions) expect(await call(name, token)).toEqual([]);
    }
    expect(await findByConfirmLink(status)).toEqual([]);
    for (const name of functions) {
      const wrongPurpose = name.includes("confirm") ? status : confirm;
      expect(await call(name, wrongPurpose)).toEqual([]);
    }
    expect(await findRow(backend, request)).toEqual(before);
  });

  it("accepts links from signed-in people, but not from the service", async () => {
    const person = backend.client((await backend.signIn()).token);
    const request = await receiveRequest(backend);
    expect(await findByConfirmLink(request.tokens.confirm, person)).toHaveLength(1);
    expect(await call("confirm_data_rights_request", request.tokens.confirm, person)).toHaveLength(1);
    const asService = await backend.service.rpc("find_data_rights_status", { token: request.tokens.status });
    expect(asService.error?.code).toBe("42501");
  });

  it("removes links from stored mail once it was delivered or given up", async () => {
    for (const outcome of ["delivered", "rejected"]) {
      const request = await receiveRequest(backend);
      const [mail] = await backend.sql<{ id: string }>(
        "select id from private.email_outbox where request_id = $1 and kind = 'request-acknowledgement'",
        [request.id],
      );
      const settle = (as: string) =>
        backend.service.rpc("settle_mails", { attempts: [{ mail_id: mail!.id, outcome: as }] }).throwOnError();
      await settle("retry");
      expect((await readMails(backend, request))[0]!.body).toContain(request.tokens.confirm);
      await settle(outcome);
      const [kept] = await readMails(backend, request);
      expect(kept!.body).toContain("confirm?token=(removed)");
      expect(kept!.body).not.toContain(request.tokens.confirm);
      expect(kept!.body).not.toContain(request.tokens.status);
    }
  });
});
