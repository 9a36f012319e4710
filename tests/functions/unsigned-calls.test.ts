import { describe, expect, it } from "vitest";
import { signCall, signatureHeader } from "#supabase/functions/_shared/host/site-signature.ts";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { acknowledgementLimits } from "~/content/facts";
import { newDecision } from "../database/support/consent.ts";
import { newCode } from "../database/support/examples.ts";
import { newMessage, newRequest, siteKey } from "./support/site.ts";
import { useWorld } from "./support/world.ts";

/** Unsigned calls of one function that are accepted within an hour. */
const most = 20;

const world = useWorld();

const newLink = () => ({ action: "redeem", token: newSecretToken(), password: "a long password" });
const newAddress = () => ({ email: `${newCode()}@example.com` });

async function countRows(table: string): Promise<number> {
  const [row] = await world.sql<{ number: number }>(`select count(*)::integer as number from ${table}`);
  return row!.number;
}

describe("unsigned calls with the publishable key", () => {
  it.each([
    ["messages", "send-contact-email", newMessage, 200, "public.contact_submissions", most],
    ["requests", "receive-data-rights-request", newRequest, 200, "public.data_rights_requests", most],
    ["cookie choices", "record-consent", newDecision, 200, "private.consent_history", most],
    ["guesses of account links", "account-links", newLink, 404, "private.account_links", 0],
    ["addresses of members", "network-link", newAddress, 200, "public.network_members", 0],
  ])("of %s are limited to 20 an hour", async (_what, name, make, usual, table, stored) => {
    const before = await countRows(table);
    const responses = await Promise.all(
      // A different code for each call, as an attacker would invent them.
      Array.from({ length: most + 5 }, () => world.callUnsigned(name, make(), { "x-client-code": newCode() })),
    );
    expect(responses.filter(({ status }) => status === usual)).toHaveLength(most);
    const refused = responses.find(({ status }) => status !== usual);
    expect([refused?.status, await refused?.json()]).toEqual([429, { error: "unsigned" }]);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(3_500);
    expect((await countRows(table)) - before).toBe(stored);
    expect((await world.call(name, make())).status).toBe(usual);
    await world.sql("update private.rate_limits set resets_at = now() - interval '1 second'");
    expect((await world.callUnsigned(name, make())).status).toBe(usual);
  });

  it("are counted if their signature is not the site's, and a replay stores nothing new", async () => {
    const name = "send-contact-email";
    const message = newMessage();
    const headers = new Headers({ "x-client-code": newCode(), "x-client-address": "203.0.113.9" });
    const good = signCall(siteKey, { name, headers, body: JSON.stringify(message) });
    await world.sql(
      "insert into private.rate_limits values ('unsigned:send-contact-email', 20, now() + interval '1 hour', interval '1 hour')",
    );
    const send = async (signature: string, changes: Record<string, string> = {}) =>
      (
        await world.callUnsigned(name, message, {
          ...Object.fromEntries(headers),
          [signatureHeader]: signature,
          ...changes,
        })
      ).status;
    expect(await send("A".repeat(43))).toBe(429);
    expect(await send(good, { "x-client-address": "203.0.113.10" })).toBe(429);
    expect(world.events).toContainEqual({ event: "site-signature-refused", function: name });
    expect([await send(good), await send(good)]).toEqual([200, 200]);
    expect(await countRows("public.contact_submissions")).toBe(1);
  });

  it.each([
    ["count as one client under any invented code, and set no address", siteKey, acknowledgementLimits.perClientAndDay],
    ["count by their codes, and set an address, without a site key", undefined, 8],
  ])("%s", async (_case, key, acknowledged) => {
    world.settings.SITE_KEY = key;
    for (let n = 0; n < 8; n += 1) {
      const message = newMessage({ email: `${n}@${key === undefined ? "no" : "a"}-key.example` });
      const headers = { "x-client-code": newCode(), "x-client-address": "203.0.113.9" };
      await world.callUnsigned("send-contact-email", message, headers);
    }
    expect(await countRows("private.email_outbox where kind = 'acknowledgement'")).toBe(acknowledged);
    const stored = await world.sql("select distinct ip_address as ip from public.contact_submissions");
    expect(stored).toEqual([{ ip: key === undefined ? "203.0.113.9" : null }]);
  });
});
