import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { signCall, signatureHeader } from "#supabase/functions/_shared/host/site-signature.ts";
import { acknowledgementLimits } from "~/content/facts";
import { newDecision } from "../database/support/consent.ts";
import { newCode } from "../database/support/examples.ts";
import { type Site, newMessage, newRequest, siteKey, startSite } from "./support/site.ts";

/** Unsigned calls of one function that are accepted within an hour. */
const most = 20;

const newLink = () => ({ action: "redeem", token: randomBytes(32).toString("base64url"), password: "a long password" });

const firmMails = "private.email_outbox where kind = 'firm'";
const countRows = async (site: Site, table: string) => {
  const [row] = await site.sql<{ number: number }>(`select count(*)::integer as number from ${table}`);
  return row?.number ?? 0;
};

describe("unsigned calls with the publishable key", () => {
  let site: Site;

  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site?.close());
  beforeEach(async () => {
    site.settings.SITE_KEY = siteKey;
    await site.sql("delete from private.rate_limits");
  });

  it.each([
    ["messages", 60, "send-contact-email", newMessage, "public.contact_submissions"],
    ["requests", 30, "receive-data-rights-request", newRequest, "public.data_rights_requests"],
    ["cookie choices", 60, "record-consent", newDecision, "private.consent_history"],
  ])("of %s, sent %i times, are limited to 20 an hour", async (_what, times, name, make, table) => {
    const before = await countRows(site, table);
    const mailsBefore = await countRows(site, firmMails);
    const responses = await Promise.all(
      // A different code for each call, as an attacker would invent them.
      Array.from({ length: times }, () => site.callUnsigned(name, make(), { "x-client-code": newCode() })),
    );
    const accepted = responses.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(most);
    const refused = responses.find(({ status }) => status !== 200);
    expect([refused?.status, await refused?.json()]).toEqual([429, { error: "unsigned" }]);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(3_500);
    expect(await countRows(site, table)).toBe(before + most);
    expect((await countRows(site, firmMails)) - mailsBefore).toBe(name === "send-contact-email" ? most : 0);
    // Signed calls are not limited.
    expect((await site.call(name, make())).status).toBe(200);
  });

  it("share 20 attempts an hour with account links and addresses, unlike signed calls", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < most; i += 1) statuses.push((await site.callUnsigned("account-links", newLink())).status);
    expect(new Set(statuses)).toEqual(new Set([404]));
    const forgotten = { action: "forgotten", email: "ada@example.com" };
    expect((await site.callUnsigned("account-links", forgotten)).status).toBe(429);
    expect((await site.call("account-links", forgotten)).status).toBe(200);
  });

  it("are accepted again after an hour", async () => {
    for (let i = 0; i < most; i += 1) await site.callUnsigned("record-consent", newDecision());
    expect((await site.callUnsigned("record-consent", newDecision())).status).toBe(429);
    await site.sql("update private.rate_limits set resets_at = now() - interval '1 second'");
    expect((await site.callUnsigned("record-consent", newDecision())).status).toBe(200);
  });

  it("cannot record a decision by bypassing the function", async () => {
    expect((await site.client().rpc("record_consent", newDecision())).error?.code).toBe("42501");
  });

  it("are rejected with a guessed signature or changed content", async () => {
    const name = "send-contact-email";
    const body = JSON.stringify(newMessage());
    const headers = new Headers({ "x-client-code": newCode(), "x-client-address": "203.0.113.9" });
    const sign = (now = Date.now(), key = siteKey) => signCall(key, { name, headers, body }, now);
    const minute = 60_000;
    await site.sql(
      "insert into private.rate_limits values ('unsigned:send-contact-email', 20, now() + interval '1 hour', interval '1 hour')",
    );
    async function send(signature: string, changes: Record<string, string> = {}, sent = body) {
      const signed = { ...Object.fromEntries(headers), [signatureHeader]: signature, ...changes };
      return (await site.callUnsigned(name, JSON.parse(sent), signed)).status;
    }
    const good = sign();
    expect(await send(good, { "x-client-code": newCode() })).toBe(429);
    expect(await send(good, { "x-client-address": "203.0.113.10" })).toBe(429);
    expect(await send(good, {}, JSON.stringify(newMessage()))).toBe(429);
    for (const guess of ["", "undefined", "A".repeat(43), `${good}A`, sign(Date.now(), "k".repeat(42))])
      expect(await send(guess)).toBe(429);
    // Accepts a difference of one minute between clocks, but no more.
    for (const away of [-2, 2]) expect(await send(sign(Date.now() + away * minute))).toBe(429);
    for (const away of [-1, 0, 1]) expect(await send(sign(Date.now() + away * minute))).toBe(200);
    expect(site.events).toContainEqual({ event: "site-signature-refused", function: name });
    // A replay is the same message, which is stored once.
    expect(await site.sql("select id from public.contact_submissions where message = $1", [JSON.parse(body).message])) // prettier-ignore
      .toHaveLength(1);
    const other = signCall(siteKey, { name: "record-consent", headers, body });
    expect(await send(other)).toBe(429);
  });

  it.each([
    ["count as one client under any invented code", siteKey, acknowledgementLimits.perClientAndDay],
    ["count by their codes without a site key", undefined, 8],
  ])("%s", async (_case, key, acknowledged) => {
    site.settings.SITE_KEY = key;
    const emails = Array.from({ length: 8 }, (_, index) => `${index}@${key === undefined ? "no" : "a"}-key.example`);
    for (const email of emails)
      await site.callUnsigned("send-contact-email", newMessage({ email }), { "x-client-code": newCode() });
    const mails = await site.sql<{ recipient: string }>(
      "select recipient from private.email_outbox where kind = 'acknowledgement'",
    );
    expect(mails.filter(({ recipient }) => emails.includes(recipient))).toHaveLength(acknowledged);
  });

  it("cannot set the client's address, unless no site key is set", async () => {
    const addressOf = async (message: string) => {
      const rows = await site.sql<{ ip: string | null }>(
        "select ip_address as ip from public.contact_submissions where message = $1",
        [message],
      );
      return rows[0]?.ip;
    };
    const [first, second] = [newMessage(), newMessage()];
    const headers = { "x-client-address": "203.0.113.9", "x-client-code": newCode() };
    await site.callUnsigned("send-contact-email", first, headers);
    expect(await addressOf(first.message)).toBeNull();
    site.settings.SITE_KEY = undefined;
    await site.callUnsigned("send-contact-email", second, headers);
    expect(await addressOf(second.message)).toBe("203.0.113.9");
  });
});
