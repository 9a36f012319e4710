import type { SupabaseClient } from "@supabase/supabase-js";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backends } from "../support/backends.ts";
import { answerMail, findRow, newAddress, receiveConfirmed, receiveRequest } from "../support/data-rights.ts";
import { newCode, receive } from "../support/examples.ts";
import { signInAdmin, type TestBackend } from "../support/test-backend.ts";

/** A moment in SQL. */
function ago(interval: string): string {
  return `now() - interval '${interval}'`;
}

describe.each(backends)("retention on $name", ({ start }) => {
  let backend: TestBackend;
  let admin: SupabaseClient;

  beforeAll(async () => {
    backend = await start();
    admin = backend.client((await signInAdmin(backend)).token);
  });
  afterAll(() => backend?.close());

  async function keepRetention() {
    const { data } = await backend.service.rpc("keep_retention", { source: "server" }).throwOnError();
    return data as Record<string, number>;
  }

  const nothing = {
    submissions: 0,
    requests: 0,
    records: 0,
    mails: 0,
    receipts: 0,
    links: 0,
    sender_addresses: 0,
    consents: 0,
    consent_decisions: 0,
  };

  async function set(table: string, id: string, assignments: string, column = "id") {
    const rows = await backend.sql(`update ${table} set ${assignments} where ${column} = $1 returning 1 as ok`, [id]);
    expect(rows.length).toBeGreaterThan(0);
  }

  async function count(table: string, id: string, column = "id") {
    const [row] = await backend.sql<{ n: number }>(`select count(*)::int as n from ${table} where ${column} = $1`, [
      id,
    ]);
    return row!.n;
  }

  const submissions = "public.contact_submissions";
  const requests = "public.data_rights_requests";

  it("deletes messages after two years with what hangs on them, and none before", async () => {
    const old = (await receive(backend.service)).data!.submission_id;
    const young = (await receive(backend.service)).data!.submission_id;
    await set(submissions, old, `created_at = ${ago("2 years 1 second")}`);
    await set(submissions, young, `created_at = ${ago("2 years")} + interval '1 minute'`);
    expect(await keepRetention()).toMatchObject({ ...nothing, submissions: 1 });
    expect([await count(submissions, old), await count(submissions, young)]).toEqual([0, 1]);
    expect(await count("private.email_outbox", old, "submission_id")).toBe(0);
  });

  it("deletes closed requests three years after closing, with their log, and none that still waits", async () => {
    const close = async (closedAgo: string) => {
      const request = await receiveConfirmed(backend);
      await admin.rpc("complete_request", { request_id: request.id, note: null, mail: answerMail }).throwOnError();
      await set(requests, request.id, `closed_at = ${ago(closedAgo)}, received_at = ${ago("4 years")}`);
      return request;
    };
    const [old, young, waiting] = [
      await close("3 years 1 second"),
      await close("2 years 364 days"),
      await receiveConfirmed(backend),
    ];
    await set(requests, waiting.id, `received_at = ${ago("9 years")}, due_on = now() - interval '9 years'`);
    // The two links of the young one have ended before.
    expect(await keepRetention()).toMatchObject({ ...nothing, requests: 1, links: 2 });
    expect(await findRow(backend, old)).toBeUndefined();
    expect(await count("public.data_rights_events", old.id, "request_id")).toBe(0);
    for (const kept of [young, waiting]) expect(await findRow(backend, kept)).toBeDefined();
  });

  it("deletes unconfirmed requests 30 days after they were due, if their requester was written to again", async () => {
    const [old, young] = [
      await receiveRequest(backend),
      await receiveRequest(backend, { quarantineReason: "honeypot" }),
    ];
    const reminded = "last_reminder = 'unconfirmed', last_reminder_at = now()";
    await set(requests, old.id, `due_on = (now() at time zone 'UTC')::date - 31, ${reminded}`);
    await set(requests, young.id, `due_on = (now() at time zone 'UTC')::date - 29, ${reminded}`);
    expect(await keepRetention()).toMatchObject({ ...nothing, requests: 1 });
    expect([await findRow(backend, old), (await findRow(backend, young))?.id]).toEqual([undefined, young.id]);
  });

  it("deletes mail 30 days after it was delivered or given up, and keeps what waits", async () => {
    const ids = [];
    for (const assignments of [
      `delivered_at = ${ago("30 days 1 second")}`,
      `delivered_at = ${ago("29 days 23 hours")}`,
      `gave_up_at = ${ago("31 days")}`,
      `created_at = ${ago("1 year")}`,
    ]) {
      const { submission_id } = (await receive(backend.service)).data!;
      await set("private.email_outbox", submission_id, assignments, "submission_id");
      ids.push(submission_id);
    }
    expect(await keepRetention()).toMatchObject({ ...nothing, mails: 4 });
    const left = await Promise.all(ids.map((id) => count("private.email_outbox", id, "submission_id")));
    expect(left).toEqual([0, 2, 0, 2]);
  });

  it("deletes receipts after a day and links when they have run out", async () => {
    const { submission_id } = (await receive(backend.service)).data!;
    await set("private.contact_receipts", submission_id, `received_at = ${ago("25 hours")}`, "submission_id");
    const request = await receiveRequest(backend);
    const links = "private.data_rights_links";
    await set(links, request.id, `expires_at = ${ago("1 second")}`, "purpose = 'confirm' and request_id");
    expect(await keepRetention()).toMatchObject({ ...nothing, receipts: 1, links: 1 });
    expect(await count(links, request.id, "request_id")).toBe(1);
    const status = await backend.client().rpc("find_data_rights_status", { token: request.tokens.status });
    expect(status.data).toHaveLength(1);
  });

  it("deletes both links 90 days after a request was closed, however it was closed, and none before", async () => {
    const [old, young] = [await receiveRequest(backend), await receiveRequest(backend)];
    const isShown = [];
    for (const [{ id, tokens }, closedAgo] of [
      [old, "90 days 1 second"],
      [young, "89 days 23 hours"],
    ] as const) {
      const visitor = backend.client();
      await visitor.rpc("withdraw_data_rights_request", { token: tokens.status }).throwOnError();
      await set(requests, id, `closed_at = ${ago(closedAgo)}, received_at = ${ago("1 year")}`);
      const status = await visitor.rpc("find_data_rights_status", { token: tokens.status }).throwOnError();
      isShown.push((status.data as unknown[]).length === 1);
    }
    expect(isShown).toEqual([false, true]);
    expect(await keepRetention()).toMatchObject({ ...nothing, links: 2 });
    const links = "private.data_rights_links";
    expect(await count(links, old.id, "request_id")).toBe(0);
    expect(await count(links, young.id, "request_id")).toBe(2);
  });

  it("deletes the codes that stand for clients when their counts are over", async () => {
    const [old, young] = [newCode(), newCode()];
    for (const client of [old, young]) await receive(backend.service, { clientCodes: { client } }).throwOnError();
    await set("private.rate_limits", old, `resets_at = ${ago("1 second")}`, "key");
    expect(await keepRetention()).toMatchObject(nothing);
    const limits = "private.rate_limits";
    expect([await count(limits, old, "key"), await count(limits, young, "key")]).toEqual([0, 1]);
  });

  /** Decisions of one session, each [allows analytics, how long ago]. */
  async function decide(...decisions: [boolean, string, ("banner" | "signal")?][]) {
    const session = randomBytes(16).toString("hex");
    for (const [allows, moment, source = "banner"] of decisions) {
      await backend.sql(
        `insert into private.consent_history
         values ($1, $2::boolean, false, true, '1.0', repeat('a', 64), '${source}', ${ago(moment)}) returning 1 as ok`,
        [session, allows],
      );
    }
    const [allows, moment] = decisions.at(-1)!;
    await backend.sql(
      `insert into public.user_consents values ($1, $2::boolean, false, true, null, '1.0', ${ago(moment)}) returning 1 as ok`,
      [session, allows],
    );
    const left = async () => [
      await count("public.user_consents", session, "session_id"),
      await count("private.consent_history", session, "session_id"),
    ];
    return { left };
  }

  it("deletes consent after two years, and a withdrawn one after 30 days; a refusal is kept the two years", async () => {
    const old = await decide([true, "2 years 1 day"]);
    const young = await decide([true, "1 year 11 months"]);
    const renewed = await decide([true, "2 years 1 day"], [true, "1 day"]);
    const withdrawn = await decide([true, "1 year"], [false, "31 days"]);
    const justWithdrawn = await decide([true, "1 year"], [false, "29 days"]);
    const refused = await decide([false, "1 year"]);
    const taken = await decide([false, "1 year"], [true, "31 days"]);
    expect(await keepRetention()).toEqual({ ...nothing, consents: 2, consent_decisions: 4 });
    const left = await Promise.all(
      [old, young, renewed, withdrawn, justWithdrawn, refused, taken].map((session) => session.left()),
    );
    expect(left).toEqual([
      [0, 0],
      [1, 1],
      [1, 1],
      [0, 0],
      [1, 2],
      [1, 1],
      [1, 2],
    ]);
  });

  it("deletes what only a signal chose after 30 days, and of others what a signal ended after 30 days", async () => {
    const signalled = await decide([false, "31 days", "signal"]);
    const justSignalled = await decide([false, "29 days", "signal"]);
    const thenRefused = await decide([false, "60 days", "signal"], [false, "40 days"]);
    const ended = await decide([true, "60 days"], [false, "31 days", "signal"]);
    expect(await keepRetention()).toEqual({ ...nothing, consents: 2, consent_decisions: 3 });
    const sessions = [signalled, justSignalled, thenRefused, ended];
    expect(await Promise.all(sessions.map((session) => session.left()))).toEqual([
      [0, 0],
      [1, 1],
      [1, 2],
      [0, 0],
    ]);
  });

  it("forgets the sender's internet address after 30 days and leaves the message, but nothing of what is frozen", async () => {
    const [old, young, frozen] = await Promise.all(
      ["31 days", "29 days", "31 days"].map(async (moment) => {
        const id = (await receive(backend.service, { submission: { ip_address: "203.0.113.9" } })).data!.submission_id;
        await set(submissions, id, `created_at = ${ago(moment)}`);
        return id;
      }),
    );
    await set(submissions, frozen!, "frozen_at = now()");
    expect(await keepRetention()).toEqual({ ...nothing, sender_addresses: 1 });
    const findAddress = async (id = "") => {
      const [row] = await backend.sql<{ ip_address: string | null }>(
        `select ip_address from ${submissions} where id = $1`,
        [id],
      );
      return row?.ip_address;
    };
    expect(await Promise.all([old, young, frozen].map(findAddress))).toEqual([null, "203.0.113.9", "203.0.113.9"]);
    await set(submissions, frozen!, "frozen_at = null, ip_address = null");
  });

  it("leaves what is frozen until the day that was announced, and deletes it no sooner than a run later", async () => {
    const email = newAddress();
    const submission = (await receive(backend.service, { submission: { email } })).data!.submission_id;
    const request = await receiveConfirmed(backend, { email, type: "restrict" });
    await admin.rpc("restrict_subject", { request_id: request.id, reason: "Contested" }).throwOnError();
    await admin.rpc("complete_request", { request_id: request.id, note: null, mail: answerMail }).throwOnError();
    await set(submissions, submission, `created_at = ${ago("5 years")}`);
    await set(requests, request.id, `closed_at = ${ago("5 years")}`);
    await set("private.email_outbox", request.id, `delivered_at = ${ago("1 year")}`, "request_id");
    expect(await keepRetention()).toEqual(nothing);
    const lift = { request_id: request.id, reason: "Settled", mail: answerMail };
    await admin.rpc("lift_restriction", lift).throwOnError();
    await set(requests, request.id, "restriction_ends_on = (now() at time zone 'UTC')::date + 1");
    expect(await keepRetention()).toEqual(nothing);
    expect(await findRow(backend, request)).toMatchObject({ frozen_at: expect.any(String) });
    await set(requests, request.id, "restriction_ends_on = (now() at time zone 'UTC')::date");
    expect(await keepRetention()).toEqual(nothing);
    expect(await findRow(backend, request)).toMatchObject({ frozen_at: null, restriction_ends_on: null });
    expect(await keepRetention()).toMatchObject({ submissions: 1, requests: 1 });
  });
});
