import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFetchServer } from "../../support/stack/fetch-server.ts";
import { newMessage, type Site, startSite } from "../support/site.ts";

describe("mail delivery by Resend", () => {
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site?.close());

  async function send() {
    expect((await site.call("send-contact-email", newMessage())).status).toBe(200);
    await site.finishBackgroundWork();
  }

  async function findOutbox() {
    return site.sql<{ kind: string; state: string; last_error: string | null }>(
      `select kind, split_part(last_error, ' ', 1) as last_error, case when delivered_at is not null then 'delivered'
         when gave_up_at is not null then 'given up' else 'waiting' end as state
       from private.email_outbox order by kind desc`,
    );
  }

  it("calls Resend's API with an idempotency key, and classifies its responses", async () => {
    const requests: { key: unknown; authorization: unknown; body: Record<string, unknown> }[] = [];
    let status = 200;
    let responseBody = JSON.stringify({ id: randomUUID() });
    const api = await startFetchServer(async (_path, { headers, body }) => {
      const [authorization, key] = [headers.get("authorization"), headers.get("idempotency-key")];
      requests.push({ key, authorization, body: (await new Response(body).json()) as Record<string, unknown> });
      return new Response(responseBody, { status, headers: { "Content-Type": "application/json" } });
    });
    site.settings.RESEND_API_URL = `${api.url}/emails`;
    site.settings.RESEND_API_KEY = "re_test";
    await send();
    expect((await findOutbox()).map((mail) => mail.state)).toEqual(["delivered", "delivered"]);
    const [firm] = requests.filter(({ body }) => String(body.to) === "hello@firm.example");
    const [row] = await site.sql<{ id: string }>("select id from private.email_outbox where kind = 'firm'");
    expect(firm).toMatchObject({
      key: row!.id,
      authorization: "Bearer re_test",
      body: {
        from: "The Firm <website@firm.example>",
        reply_to: "ada@example.com",
        headers: {
          "Auto-Submitted": "auto-generated",
          "X-Auto-Response-Suppress": "OOF, AutoReply",
          "Message-ID": `<${row!.id}@firm.example>`,
        },
      },
    });

    await site.sql(
      `insert into private.email_outbox (submission_id, kind, recipient, subject, body, thread)
       select submission_id, 'reply', 'ada@example.com', 'Re: Words', 'Words', array[$1::uuid, $2::uuid]
       from private.email_outbox where kind = 'firm' returning id`,
      [randomUUID(), row!.id],
    );
    await site.deliver();
    const reply = requests.at(-1)?.body.headers as Record<string, string>;
    expect(reply).toEqual({
      "Message-ID": expect.any(String),
      "In-Reply-To": `<${row!.id}@firm.example>`,
      References: expect.stringMatching(/^<[0-9a-f-]{36}@firm\.example> <[0-9a-f-]{36}@firm\.example>$/),
    });

    const outcomes: [number, string, string][] = [
      [200, "waiting", ""],
      [422, "given up", '{"name":"validation_error","message":"Invalid `to` field."}'],
      [422, "waiting", '{"name":"validation_error","message":"Invalid `from` field."}'],
      [400, "waiting", ""],
      [500, "waiting", ""],
      [401, "waiting", ""],
    ];
    for (const [responseStatus, state, body] of outcomes) {
      status = responseStatus;
      responseBody = body;
      const code = responseStatus === 200 ? "resend-no-id" : `resend-${responseStatus}`;
      await site.sql("delete from private.email_outbox");
      await send();
      expect(await findOutbox()).toEqual([
        { kind: "firm", state: "waiting", last_error: code },
        { kind: "acknowledgement", state, last_error: code },
      ]);
    }
    api.close();
    await site.skipPauses();
    await site.deliver();
    expect((await findOutbox()).map((mail) => mail.last_error)).toEqual(["resend-unreachable", "resend-unreachable"]);
  });

  it("sends every mail to a busy Resend without counting tries", async () => {
    let calls = 0;
    const api = await startFetchServer(async () => {
      calls += 1;
      const isOver = calls % 3 === 0;
      return isOver
        ? Response.json({ name: "rate_limit_exceeded" }, { status: 429, headers: { "Retry-After": "0.05" } })
        : Response.json({ id: randomUUID() });
    });
    site.settings.RESEND_API_URL = `${api.url}/emails`;
    await site.sql("delete from private.email_outbox");
    for (let n = 0; n < 5; n += 1) await send();
    await site.deliver();
    await site.skipPauses();
    await site.deliver();
    expect(
      await site.sql("select distinct attempts, delivered_at is not null as is_sent from private.email_outbox"),
    ).toEqual([{ attempts: 1, is_sent: true }]);
    const mails = await site.sql("select 1 from private.email_outbox");
    const asked = site.events.filter(({ event }) => event === "mail-busy").length;
    expect([asked > 0, calls]).toEqual([true, mails.length + asked]);
    api.close();
  });

  // The last one, because the site sends no mail for ten minutes afterwards.
  it("waits as long as Resend asks", async () => {
    const api = await startFetchServer(async () =>
      Response.json({}, { status: 429, headers: { "Retry-After": "3000" } }),
    );
    site.settings.RESEND_API_URL = `${api.url}/emails`;
    await site.sql("delete from private.email_outbox");
    await send();
    await site.deliver();
    const waits = await site.sql<{ seconds: number }>(
      "select extract(epoch from min(next_attempt_at) - now())::int as seconds from private.email_outbox where attempted_at is not null",
    );
    expect(waits[0]?.seconds).toBeGreaterThan(2_900);
    api.close();
  });
});
