import { once } from "node:events";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startMailServer } from "../support/mail-server.ts";
import { newMessage, type Site, startSite } from "../support/site.ts";

describe("mail delivery", () => {
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
  });
  beforeEach(async () => {
    await site.finishBackgroundWork();
    await site.sql("delete from private.email_outbox");
    site.events.length = 0;
    site.settings.MAIL_FROM = "website@firm.example";
    site.settings.CONTACT_TO = "hello@firm.example";
    Object.assign(site.settings, { SMTP_URL: undefined, SMTP_USER: undefined, SMTP_PASSWORD: undefined });
    site.host.keepMailFile = undefined;
  });
  afterAll(() => site?.close());

  /** Sends one message and waits for the background work. */
  async function send(changes: Record<string, unknown> = {}) {
    const response = await site.call("send-contact-email", newMessage(changes));
    expect(response.status).toBe(200);
    await site.finishBackgroundWork();
  }

  async function findOutbox() {
    return site.sql<{ kind: string; state: string; last_error: string | null }>(
      `select kind, split_part(last_error, ' ', 1) as last_error, case when delivered_at is not null then 'delivered'
         when gave_up_at is not null then 'given up' else 'waiting' end as state
       from private.email_outbox order by kind desc`,
    );
  }

  it("retries while the mail server is down, and delivers each mail once afterwards", async () => {
    const first = await startMailServer();
    const port = Number(new URL(first.url).port);
    await first.close();
    site.settings.SMTP_URL = first.url;
    await send();
    expect(await findOutbox()).toEqual([
      { kind: "firm", state: "waiting", last_error: "smtp-econnrefused" },
      { kind: "acknowledgement", state: "waiting", last_error: "smtp-econnrefused" },
    ]);
    expect(await site.deliver()).toEqual({ delivered: 0, failed: 0, remaining: 2 });

    const back = await startMailServer(port);
    await site.skipPauses();
    expect(await site.deliver()).toEqual({ delivered: 2, failed: 0, remaining: 0 });
    await site.skipPauses();
    expect(await site.deliver()).toEqual({ delivered: 0, failed: 0, remaining: 0 });
    expect(back.received).toHaveLength(2);
    await back.close();
  });

  it("responds to the visitor without waiting for a hanging mail server", async () => {
    const connections: Socket[] = [];
    const silent = createTcpServer((connection) => connections.push(connection)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    site.settings.SMTP_URL = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    expect((await site.call("send-contact-email", newMessage())).status).toBe(200);
    expect((await findOutbox()).map((mail) => mail.state)).toEqual(["waiting", "waiting"]);
    await expect.poll(() => connections.length).toBe(2);
    for (const connection of connections) connection.destroy();
    await site.finishBackgroundWork();
    expect((await findOutbox()).map((mail) => mail.last_error)).toEqual(["smtp-econnection", "smtp-econnection"]);
    silent.close();
  });

  it("gives up a permanently rejected acknowledgement, but neither a deferred one nor the firm's mail", async () => {
    const server = await startMailServer();
    site.settings.SMTP_URL = server.url;
    server.refuse("nobody@example.com", 550);
    await send({ email: "nobody@example.com" });
    expect(await findOutbox()).toEqual([
      { kind: "firm", state: "delivered", last_error: null },
      { kind: "acknowledgement", state: "given up", last_error: "smtp-550" },
    ]);

    await site.sql("delete from private.email_outbox");
    server.refuse("busy@example.com", 450);
    server.refuse("hello@firm.example", 550);
    await send({ email: "busy@example.com" });
    expect(await findOutbox()).toEqual([
      { kind: "firm", state: "waiting", last_error: "smtp-550" },
      { kind: "acknowledgement", state: "waiting", last_error: "smtp-450" },
    ]);
    server.refuse("busy@example.com", null);
    site.settings.CONTACT_TO = "office@firm.example, desk@firm.example";
    await site.skipPauses();
    expect(await site.deliver()).toEqual({ delivered: 2, failed: 0, remaining: 0 });
    expect(server.received.at(-1)?.recipients.concat(server.received.at(-2)!.recipients).toSorted()).toEqual([
      "busy@example.com",
      "desk@firm.example",
      "office@firm.example",
    ]);
    expect(JSON.stringify(site.events)).not.toContain("example");
    const levels = site.events.flatMap(({ event, level }) => (event.startsWith("mail-") ? [`${event} ${level}`] : []));
    expect([...new Set(levels)].toSorted()).toEqual([
      "mail-delivered undefined",
      "mail-rejected warn",
      "mail-retry warn",
    ]);
    await server.close();
  });

  it("sends to each of the firm's addresses by name, and signs in with special characters in the password", async () => {
    const server = await startMailServer();
    const password = "pa/ss#?@%41 '\"";
    Object.assign(site.settings, {
      SMTP_URL: server.url,
      SMTP_USER: "office@firm.example",
      SMTP_PASSWORD: password,
      MAIL_FROM: "Firm, Inc. <website@firm.example>",
      CONTACT_TO: 'Desk, West <desk@firm.example>; "Ann" <ann@firm.example>\nnot-an-address',
    });
    await send();
    const [firm] = server.received.filter(({ recipients }) => recipients.includes("desk@firm.example"));
    expect(firm?.recipients).toEqual(["desk@firm.example", "ann@firm.example"]);
    expect(firm?.content.from).toMatchObject({ name: "Firm, Inc.", address: "website@firm.example" });
    expect(firm?.content.to).toMatchObject([
      { name: "Desk, West", address: "desk@firm.example" },
      { name: "Ann", address: "ann@firm.example" },
    ]);
    const acknowledgement = server.received.find(({ recipients }) => recipients.includes("ada@example.com"));
    expect(acknowledgement?.content.replyTo).toMatchObject([{ address: "desk@firm.example" }]);
    expect(new Set(server.signIns.map((signIn) => JSON.stringify(signIn)))).toEqual(
      new Set([JSON.stringify({ user: "office@firm.example", password })]),
    );
    await server.close();
  });

  it.each([
    ["SMTP_URL", "smtp://user:12/ss@127.0.0.1:25", "smtp-url-unreadable"],
    ["MAIL_FROM", "firm", "mail-from-is-no-address"],
    ["CONTACT_TO", "desk; office", "contact-to-is-no-address"],
  ])("keeps the firm's mail waiting with an invalid %s, and records the cause", async (name, value, cause) => {
    Object.assign(site.settings, { SMTP_URL: "smtp://127.0.0.1:9", [name]: value });
    await send();
    expect((await findOutbox()).find(({ kind }) => kind === "firm")).toMatchObject({
      state: "waiting",
      last_error: cause,
    });
  });

  it("writes each mail to one file without a mail server, and logs it", async () => {
    const files = new Map<string, Uint8Array>();
    site.host.keepMailFile = async (name, bytes) => void files.set(name, bytes);
    await send();
    await site.sql("update private.email_outbox set delivered_at = null, next_attempt_at = now()");
    expect(await site.deliver()).toEqual({ delivered: 2, failed: 0, remaining: 0 });
    const ids = await site.sql<{ file: string }>("select id || '.eml' as file from private.email_outbox");
    expect([...files.keys()].toSorted()).toEqual(ids.map((row) => row.file).toSorted());
    const mails = await Promise.all([...files.values()].map((bytes) => PostalMime.parse(bytes)));
    expect(mails.map((mail) => mail.to?.[0]?.address).toSorted()).toEqual(["ada@example.com", "hello@firm.example"]);
    expect(site.events).toContainEqual({
      event: "mail-written-to-file",
      reason: "mail written to a file: no mail server is set",
      file: expect.stringMatching(/^[0-9a-f-]{36}\.eml$/),
    });
  });

  it("writes files without any mail setting, and retries when the disk is full", async () => {
    site.settings.MAIL_FROM = undefined;
    site.settings.CONTACT_TO = undefined;
    site.host.keepMailFile = () => Promise.reject(new Error("ENOSPC"));
    await send();
    expect((await findOutbox()).map((mail) => mail.last_error)).toEqual(["file-not-written", "file-not-written"]);
    const files: Uint8Array[] = [];
    site.host.keepMailFile = async (_name, bytes) => void files.push(bytes);
    await site.skipPauses();
    expect((await site.deliver()).delivered).toBe(2);
    const mails = await Promise.all(files.map((bytes) => PostalMime.parse(bytes)));
    expect(mails.map((mail) => mail.to?.[0]?.address).toSorted()).toEqual(["ada@example.com", "contact@firm.example"]);
  });

  it("keeps mail waiting while no transport or address is configured", async () => {
    await send();
    expect((await findOutbox()).map((mail) => mail.last_error)).toEqual(["no-mail-server-set", "no-mail-server-set"]);
    site.settings.SMTP_URL = "smtp://127.0.0.1:9";
    site.settings.MAIL_FROM = undefined;
    site.settings.CONTACT_TO = undefined;
    await site.skipPauses();
    await site.deliver();
    expect((await findOutbox()).map((mail) => mail.last_error)).toEqual(["no-address-set", "no-address-set"]);
  });

  it("sends each mail once under concurrent deliveries", async () => {
    for (let i = 0; i < 6; i += 1) await send({ email: `ada${i}@example.com` });
    const server = await startMailServer();
    site.settings.SMTP_URL = server.url;
    await site.skipPauses();
    await Promise.all(Array.from({ length: 8 }, () => site.deliver()));
    expect(server.received).toHaveLength(12);
    expect(new Set(server.received.map(({ content }) => content.messageId)).size).toBe(12);
    await server.close();
  });

  it("rejects callers without the secret key", async () => {
    const { secretKey } = site.embedded;
    const guess = secretKey.slice(0, -1) + (secretKey.endsWith("x") ? "y" : "x");
    const refusals: Record<string, string>[] = [
      {},
      { apikey: site.embedded.publishableKey },
      { apikey: guess, authorization: `Bearer ${guess}` },
      { authorization: `Bearer ${(await site.signIn()).token}` },
      { authorization: "Bearer " },
    ];
    for (const headers of refusals)
      expect((await site.call("deliver-outbox", undefined, { headers })).status).toBe(403);
    const authorization = `Bearer ${site.embedded.secretKey}`;
    expect((await site.call("deliver-outbox", undefined, { headers: { authorization } })).status).toBe(200);
    expect((await site.call("deliver-outbox", undefined, { method: "GET", headers: { authorization } })).status).toBe(
      405,
    );
    const reach = site.host.fetch;
    site.host.fetch = () => Promise.reject(new TypeError("fetch failed"));
    expect((await site.call("deliver-outbox", undefined, { headers: { authorization } })).status).toBe(503);
    site.host.fetch = reach;
  });
});
