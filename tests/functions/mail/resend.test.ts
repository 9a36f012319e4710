import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFetchServer } from "../../support/stack/fetch-server.ts";
import { firm, useWorld } from "../support/world.ts";

const world = useWorld();

let requests: { key: unknown; authorization: unknown; body: Record<string, unknown> }[];
let respond: () => Response;
let api: Awaited<ReturnType<typeof startFetchServer>>;

beforeEach(async () => {
  requests = [];
  respond = () => Response.json({ id: randomUUID() });
  api = await startFetchServer(async (_path, { headers, body }) => {
    const [authorization, key] = [headers.get("authorization"), headers.get("idempotency-key")];
    requests.push({ key, authorization, body: (await new Response(body).json()) as Record<string, unknown> });
    return respond();
  });
  Object.assign(world.settings, { RESEND_API_URL: `${api.url}/emails`, RESEND_API_KEY: "re_test" });
});
afterEach(() => api.close());

const findOutbox = () =>
  world.sql(
    `select kind, split_part(last_error, ' ', 1) as last_error, gave_up_at is not null as is_given_up
     from private.email_outbox order by kind desc`,
  );

describe("mail delivery by Resend", () => {
  it("passes the whole mail with an idempotency key", async () => {
    await world.receive();
    const [row] = await world.sql<{ id: string }>(
      "select id from private.email_outbox where kind = 'firm' and delivered_at is not null",
    );
    expect(requests).toHaveLength(2);
    expect(requests.find(({ body }) => String(body.to) === firm)).toMatchObject({
      key: row!.id,
      authorization: "Bearer re_test",
      body: {
        from: "The Firm <website@firm.example>",
        reply_to: "ada@example.com",
        subject: "Message from Ada Lovelace, Analytical Engines Ltd (Growth-stage company)",
        text: expect.stringContaining("> Please call me."),
        headers: {
          "Auto-Submitted": "auto-generated",
          "X-Auto-Response-Suppress": "OOF, AutoReply",
          "Message-ID": `<${row!.id}@firm.example>`,
        },
      },
    });
  });

  it.each([
    [200, "", "resend-no-id", false],
    [422, '{"name":"validation_error","message":"Invalid `to` field."}', "resend-422", true],
    [422, '{"name":"validation_error","message":"Invalid `from` field."}', "resend-422", false],
    [500, "", "resend-500", false],
  ])("after %i %s keeps the mail, or gives up an acknowledgement", async (status, body, last_error, is_given_up) => {
    respond = () => new Response(body, { status, headers: { "Content-Type": "application/json" } });
    await world.receive();
    expect(await findOutbox()).toEqual([
      { kind: "firm", last_error, is_given_up: false },
      { kind: "acknowledgement", last_error, is_given_up },
    ]);
  });

  it("sends no mail on to the address of a redirect", async () => {
    respond = () => new Response(null, { status: 308, headers: { Location: `${api.url}/elsewhere` } });
    await world.receive();
    expect(requests).toHaveLength(2);
    expect(await findOutbox()).toMatchObject([{ last_error: "resend-308" }, { last_error: "resend-308" }]);
  });

  it("keeps mail while Resend is out of reach", async () => {
    api.close();
    await world.receive();
    expect(await findOutbox()).toMatchObject([{ last_error: "resend-unreachable" }, { is_given_up: false }]);
  });

  // The last one, because the site sends no mail for ten minutes afterwards.
  it("waits as long as Resend asks", async () => {
    respond = () => Response.json({}, { status: 429, headers: { "Retry-After": "3000" } });
    await world.receive();
    const waits = await world.sql<{ seconds: number }>(
      "select extract(epoch from min(next_attempt_at) - now())::int as seconds from private.email_outbox where attempted_at is not null",
    );
    expect(waits[0]?.seconds).toBeGreaterThan(2_900);
  });
});
