import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { newMessage } from "../support/site.ts";
import { firm, useWorld } from "../support/world.ts";

const world = useWorld();

/** Returns state and last error of the firm's mail and of the acknowledgement. */
async function findOutbox() {
  const rows = await world.sql<{ mail: string }>(
    `select concat_ws(' ', case when delivered_at is not null then 'delivered' when gave_up_at is not null then 'given up'
         else 'waiting' end, split_part(last_error, ' ', 1)) as mail
     from private.email_outbox order by kind desc`,
  );
  return rows.map(({ mail }) => mail);
}

describe("mail delivery", () => {
  it("responds to the visitor without waiting for a hanging mail server", async () => {
    world.mailServer.hang(true);
    expect((await world.call("send-contact-email", newMessage())).status).toBe(200);
    expect(await findOutbox()).toEqual(["waiting", "waiting"]);
    await expect.poll(() => world.mailServer.hang(true)).toBe(2);
    world.mailServer.hang(false);
  });

  it("gives up an acknowledgement that its mailbox refuses, and logs no address", async () => {
    world.mailServer.refuse("nobody@example.com", 550);
    await world.receive({ email: "nobody@example.com" });
    expect(await findOutbox()).toEqual(["delivered", "given up smtp-550"]);
    expect(JSON.stringify(world.events)).not.toContain("example");
    const levels = world.events.map(({ event, level }) => `${event} ${level}`);
    expect(levels.toSorted()).toEqual(["mail-delivered undefined", "mail-rejected warn"]);
  });

  it("keeps a deferred acknowledgement and the firm's mail, which goes to the addresses set meanwhile", async () => {
    world.mailServer.refuse("busy@example.com", 450);
    world.mailServer.refuse(firm, 550);
    await world.receive({ email: "busy@example.com" });
    expect(await findOutbox()).toEqual(["waiting smtp-550", "waiting smtp-450"]);
    world.mailServer.reset();
    world.settings.CONTACT_TO = "office@firm.example, desk@firm.example";
    await world.skipPauses();
    expect(await world.deliver()).toEqual({ delivered: 2, failed: 0, remaining: 0 });
    const recipients = world.mailServer.received.flatMap((mail) => mail.recipients);
    expect(recipients.toSorted()).toEqual(["busy@example.com", "desk@firm.example", "office@firm.example"]);
  });

  it.each([
    ["an unreadable address of the server", { SMTP_URL: "smtp://user:12/ss@127.0.0.1:25" }, "smtp-url-unreadable"],
    ["no mail server", { SMTP_URL: undefined }, "no-mail-server-set"],
  ])("keeps the firm's mail waiting with %s, and records the cause", async (_case, settings, cause) => {
    Object.assign(world.settings, settings);
    await world.receive();
    expect((await findOutbox())[0]).toBe(`waiting ${cause}`);
  });

  it("writes each mail to one file without a mail server, and logs it", async () => {
    delete world.settings.SMTP_URL;
    const files = new Map<string, Uint8Array>();
    world.host.keepMailFile = async (name, bytes) => void files.set(name, bytes);
    await world.receive();
    await world.sql("update private.email_outbox set delivered_at = null, next_attempt_at = now()");
    expect(await world.deliver()).toEqual({ delivered: 2, failed: 0, remaining: 0 });
    const ids = await world.sql<{ file: string }>("select id || '.eml' as file from private.email_outbox");
    expect([...files.keys()].toSorted()).toEqual(ids.map((row) => row.file).toSorted());
    const mails = await Promise.all([...files.values()].map((bytes) => PostalMime.parse(bytes)));
    expect(mails.map((mail) => mail.to?.[0]?.address).toSorted()).toEqual(["ada@example.com", firm]);
    expect(world.events).toContainEqual({
      event: "mail-written-to-file",
      reason: "mail written to a file: no mail server is set",
      file: expect.stringMatching(/^[0-9a-f-]{36}\.eml$/),
    });
  });

  it("writes files without any mail setting, and retries when the disk is full", async () => {
    Object.assign(world.settings, { SMTP_URL: undefined, MAIL_FROM: undefined, CONTACT_TO: undefined });
    world.host.keepMailFile = () => Promise.reject(new Error("ENOSPC"));
    await world.receive();
    expect(await findOutbox()).toEqual(["waiting file-not-written", "waiting file-not-written"]);
    world.host.keepMailFile = async () => undefined;
    await world.skipPauses();
    expect((await world.deliver()).delivered).toBe(2);
  });

  it("starts for the holder of the secret key only", async () => {
    const { publishableKey, secretKey } = world.embedded;
    const guess = secretKey.slice(0, -1) + (secretKey.endsWith("x") ? "y" : "x");
    const deliver = async (headers: Record<string, string>) =>
      (await world.call("deliver-outbox", undefined, { headers })).status;
    for (const refused of [
      {},
      { apikey: publishableKey },
      { apikey: guess, authorization: `Bearer ${guess}` },
      { authorization: `Bearer ${(await world.signIn()).token}` },
      { authorization: "Bearer " },
    ] as Record<string, string>[])
      expect(await deliver(refused)).toBe(403);
    expect(await deliver({ authorization: `Bearer ${secretKey}` })).toBe(200);
  });
});
