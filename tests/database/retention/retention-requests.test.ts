import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, it } from "vitest";
import { eachBackend } from "../support/backends.ts";
import { findRow, newAddress, receiveConfirmed, receiveRequest, sampleMail, takeStep } from "../support/data-rights.ts";
import { receive } from "../support/examples.ts";
import { settleWaiting } from "../support/network.ts";
import { ago, countRows, keepRetention, nothingDeleted, setRows } from "../support/retention.ts";
import { signInAdmin } from "../support/test-backend.ts";

eachBackend("retention of data rights requests", (backend) => {
  let admin: SupabaseClient;

  beforeAll(async () => {
    admin = backend.client((await signInAdmin(backend)).token);
  });

  const submissions = "public.contact_submissions";
  const requests = "public.data_rights_requests";

  it("deletes closed requests and their log three years after closing, and no open ones", async () => {
    const close = async (closedAgo: string) => {
      const request = await receiveConfirmed(backend);
      await takeStep(admin, request.id, "complete").throwOnError();
      await setRows(backend, requests, request.id, `closed_at = ${ago(closedAgo)}, received_at = ${ago("4 years")}`);
      return request;
    };
    const [old, young, waiting] = [
      await close("3 years 1 second"),
      await close("2 years 364 days"),
      await receiveConfirmed(backend),
    ];
    await setRows(
      backend,
      requests,
      waiting.id,
      `received_at = ${ago("9 years")}, due_on = now() - interval '9 years'`,
    );
    // The young request's two links ended earlier, 90 days after it was closed.
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, requests: 1, links: 2 });
    expect(await findRow(backend, old)).toBeUndefined();
    expect(await countRows(backend, "public.data_rights_events", old.id, "request_id")).toBe(0);
    for (const kept of [young, waiting]) expect(await findRow(backend, kept)).toBeDefined();
  });

  it("deletes unconfirmed requests 30 days past due, if their requester was reminded", async () => {
    const [old, young] = [
      await receiveRequest(backend),
      await receiveRequest(backend, { quarantineReason: "honeypot" }),
    ];
    await settleWaiting(backend, old.email);
    const reminded = `last_reminder = 'unconfirmed', last_reminder_at = ${ago("40 days")}`;
    await setRows(backend, requests, old.id, `due_on = (now() at time zone 'UTC')::date - 31, ${reminded}`);
    await setRows(backend, requests, young.id, `due_on = (now() at time zone 'UTC')::date - 29, ${reminded}`);
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, requests: 1 });
    expect([await findRow(backend, old), (await findRow(backend, young))?.id]).toEqual([undefined, young.id]);
  });

  it("deletes receipts after a day and links once they expire", async () => {
    const { submission_id } = (await receive(backend.service)).data!;
    await setRows(
      backend,
      "private.contact_receipts",
      submission_id,
      `received_at = ${ago("25 hours")}`,
      "submission_id",
    );
    const request = await receiveRequest(backend);
    const links = "private.data_rights_links";
    await setRows(backend, links, request.id, `expires_at = ${ago("1 second")}`, "purpose = 'confirm' and request_id");
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, receipts: 1, links: 1 });
    expect(await countRows(backend, links, request.id, "request_id")).toBe(1);
    const status = await backend.client().rpc("find_data_rights_status", { token: request.tokens.status });
    expect(status.data).toHaveLength(1);
  });

  it("deletes both links 90 days after their request was closed, and none earlier", async () => {
    const [old, young] = [await receiveRequest(backend), await receiveRequest(backend)];
    const isShown = [];
    for (const [{ id, tokens }, closedAgo] of [
      [old, "90 days 1 second"],
      [young, "89 days 23 hours"],
    ] as const) {
      const visitor = backend.client();
      await visitor.rpc("withdraw_data_rights_request", { token: tokens.status }).throwOnError();
      await setRows(backend, requests, id, `closed_at = ${ago(closedAgo)}, received_at = ${ago("1 year")}`);
      const status = await visitor.rpc("find_data_rights_status", { token: tokens.status }).throwOnError();
      isShown.push((status.data as unknown[]).length === 1);
    }
    expect(isShown).toEqual([false, true]);
    expect(await keepRetention(backend)).toMatchObject({ ...nothingDeleted, links: 2 });
    const links = "private.data_rights_links";
    expect(await countRows(backend, links, old.id, "request_id")).toBe(0);
    expect(await countRows(backend, links, young.id, "request_id")).toBe(2);
  });

  it("keeps restricted data until the announced day and deletes it a run later", async () => {
    const email = newAddress();
    const submission = (await receive(backend.service, { submission: { email } })).data!.submission_id;
    const request = await receiveConfirmed(backend, { email, type: "restrict" });
    await admin
      .rpc("take_request_step", { step: "restrict", request_id: request.id, note: "Contested" })
      .throwOnError();
    await takeStep(admin, request.id, "complete").throwOnError();
    await setRows(backend, submissions, submission, `created_at = ${ago("5 years")}`);
    await setRows(backend, requests, request.id, `closed_at = ${ago("5 years")}`);
    await setRows(backend, "private.email_outbox", request.id, `delivered_at = ${ago("1 year")}`, "request_id");
    expect(await keepRetention(backend)).toEqual(nothingDeleted);
    const lift = { request_id: request.id, note: "Settled", mail: sampleMail };
    await admin.rpc("take_request_step", { step: "lift", ...lift }).throwOnError();
    await setRows(backend, requests, request.id, "restriction_ends_on = (now() at time zone 'UTC')::date + 1");
    expect(await keepRetention(backend)).toEqual(nothingDeleted);
    expect(await findRow(backend, request)).toMatchObject({ frozen_at: expect.any(String) });
    await setRows(backend, requests, request.id, "restriction_ends_on = (now() at time zone 'UTC')::date");
    expect(await keepRetention(backend)).toEqual(nothingDeleted);
    expect(await findRow(backend, request)).toMatchObject({ frozen_at: null, restriction_ends_on: null });
    expect(await keepRetention(backend)).toMatchObject({ submissions: 1, requests: 1 });
  });
});
