import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { mostNamesInReport } from "~/lib/day-counts.ts";
import { newDecision } from "../database/support/consent.ts";
import { newMessage, newRequest, siteKey } from "./support/site.ts";
import { useWorld } from "./support/world.ts";

const world = useWorld();

const wish = { consentPolicyVersion: "1.0", consentTextHash: "0b".repeat(32) };
const dayFromNow = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
const newReport = (changes: object = {}) => ({
  id: randomUUID(),
  day: dayFromNow(0),
  counts: { view: { "/": 1 } },
  ...changes,
});
const manyNames = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`.padEnd(64, "x"), 1_000_000_000 - n]));

const reportCounts = async (changes: object) => (await world.call("report-counts", newReport(changes))).status;

/** A body that each function of the site accepts, and its log event of a failure. */
const siteFunctions: [name: string, body: () => unknown, failure: string][] = [
  ["send-contact-email", newMessage, "contact-message-not-stored"],
  ["receive-data-rights-request", newRequest, "data-rights-request-not-stored"],
  ["account-links", () => ({ action: "forgotten", email: "ada@example.com" }), "account-link-failed"],
  ["network-link", () => ({ email: "ada@example.com" }), "network-link-not-sent"],
  ["record-consent", newDecision, "consent-not-stored"],
  ["report-counts", newReport, "counts-not-stored"],
  ["report-trouble", () => ({ causes: ["disk-low"] }), "trouble-not-stored"],
];
const readBodies = [...siteFunctions.map(([name]) => name), "second-factor"];

/** Calls a function with everything that it needs. */
async function callWell(name: string) {
  const [, body] = siteFunctions.find(([other]) => other === name) ?? [];
  if (body) return world.call(name, body());
  if (name === "deliver-outbox") return world.call(name, undefined, { headers: { apikey: world.embedded.secretKey } });
  const person = await world.signIn();
  world.settings.ADMIN_EMAILS = person.email;
  const headers = { authorization: `Bearer ${person.token}` };
  return world.call(name, name === "second-factor" ? { use: "setup", code: "x" } : undefined, { headers });
}

describe("every function", () => {
  it.each([...readBodies, "bootstrap-admin", "deliver-outbox"])("takes posts only: %s", async (name) => {
    for (const method of ["GET", "PUT", "DELETE", "OPTIONS"]) {
      const { status, headers } = await world.call(name, undefined, { method });
      const kept = ["allow", "cache-control"].map((header) => headers.get(header));
      expect([method, status, ...kept]).toEqual([method, 405, "POST", "no-store"]);
    }
  });

  it.each(readBodies)("refuses what is not JSON of at most 256 kB, or not its own: %s", async (name) => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", ""])
      expect((await world.call(name, "{}", { headers: { "Content-Type": type } })).status).toBe(415);
    const tooLarge = JSON.stringify({ extra: "a".repeat(262_144) });
    expect((await world.call(name, tooLarge)).status).toBe(413);
    expect((await world.call(name, tooLarge, { headers: { "Content-Length": "10" } })).status).toBe(413);
    for (const body of ["", "{", "null", "[]", '"text"', "1", "{}"]) {
      const refused = await world.call(name, body);
      expect([body, refused.status, await refused.json()]).toMatchObject([body, 400, { error: "invalid" }]);
    }
  });

  it.each(["account-links", "network-link", "receive-data-rights-request"])(
    "refuses, without the site's address, to write a mail that needs it: %s",
    async (name) => {
      delete world.settings.SITE_URL;
      expect((await callWell(name)).status).toBe(503);
      expect(world.events).toContainEqual(expect.objectContaining({ code: "site-url-not-set" }));
    },
  );

  it("refuses a wish to join without the site's address, but no other message", async () => {
    delete world.settings.SITE_URL;
    expect((await world.call("send-contact-email", newMessage({ network: wish }))).status).toBe(503);
    expect((await world.call("send-contact-email", newMessage())).status).toBe(200);
  });
});

describe("every function, while the backend fails,", () => {
  const outages: [string, () => void][] = [
    ["does not respond", () => world.breakBackend("")],
    ["has no database", () => world.breakBackend("/rest/v1/")],
    ["responds 500", () => void (world.host.fetch = async () => new Response("down", { status: 500 }))],
  ];
  const functions = [
    ...siteFunctions.map(([name, , failure]) => [name, failure] as const),
    ["second-factor", "second-factor.code-not-taken"] as const,
    ["bootstrap-admin", "admin-not-bootstrapped"] as const,
    ["deliver-outbox", "outbox-not-delivered"] as const,
  ];

  it.each(functions)("returns 503: %s, which logs %s", async (name, failure) => {
    const { fetch } = world.host;
    for (const [outage, begin] of outages) {
      begin();
      world.events.length = 0;
      const response = await callWell(name);
      expect([outage, response.status, await response.json()]).toEqual([outage, 503, { error: "unavailable" }]);
      expect(world.events).toContainEqual({ event: failure, code: expect.any(String) });
      world.host.fetch = fetch;
    }
    expect((await callWell(name)).status).toBe(name === "second-factor" ? 403 : 200);
  });

  it.each(siteFunctions)(
    "returns 503 if the backend refuses the key, or another program responds: %s",
    async (name) => {
      for (const key of ["", "wrong"]) {
        world.settings.SUPABASE_SECRET_KEY = key;
        expect((await callWell(name)).status).toBe(503);
      }
      world.settings.SUPABASE_SECRET_KEY = world.embedded.secretKey;
      world.host.fetch = async () => new Response("<html>");
      expect((await callWell(name)).status).toBe(503);
    },
  );
});

describe("forms", () => {
  const proof = { consentPolicyVersion: "new", consentTextHash: "words" };
  it.each([
    ["send-contact-email", newMessage, { name: 1, email: "nobody", ...proof }, "public.contact_submissions"],
    ["receive-data-rights-request", newRequest, { email: "nobody", requestType: 1 }, "public.data_rights_requests"],
  ])("are refused by the names of their invalid fields, and not stored: %s", async (name, make, wrong, table) => {
    const before = await world.sql(`select 1 from ${table}`);
    const [status, refusal] = await world.ask(name, make(wrong));
    expect([status, refusal]).toMatchObject([400, { error: "invalid" }]);
    expect(Object.keys((refusal as { fields: object }).fields)).toEqual(Object.keys(wrong));
    expect(await world.sql(`select 1 from ${table}`)).toEqual(before);
  });
});

describe("reports", () => {
  it.each(["report-counts", "report-trouble"])("are taken with the site's signature only: %s", async (name) => {
    const [, body] = siteFunctions.find(([other]) => other === name)!;
    expect((await world.callUnsigned(name, body())).status).toBe(403);
    for (const key of [`${siteKey}k`, undefined]) {
      world.settings.SITE_KEY = key;
      expect((await world.call(name, body())).status).toBe(403);
    }
    expect(await world.sql("select 1 from private.troubles")).toEqual([]);
    expect(await world.sql("select 1 from private.day_counts")).toEqual([]);
  });

  it("of trouble are refused with a cause that the database finds, or with a text", async () => {
    for (const body of [{ causes: ["mail-waits"] }, { causes: [], text: "Jane" }])
      expect((await world.call("report-trouble", body)).status).toBe(400);
  });

  it("of counts are added, as large as a site sends them", async () => {
    const names = manyNames(mostNamesInReport);
    expect(await reportCounts({ counts: { referrer: names, campaign: names, view: { "/": 1 } } })).toBe(200);
    const views = "select name, number::integer from private.day_counts where kind = 'view'";
    expect(await world.sql(views)).toEqual([{ name: "/", number: 1 }]);
  });

  it.each([
    ["without an id", { id: undefined }],
    ["with more names than a site sends", { counts: { campaign: manyNames(mostNamesInReport + 3) } }],
    ["for a day too far in the past", { day: dayFromNow(-10) }],
    ["for a day too far in the future", { day: dayFromNow(11) }],
    ["with an unknown key", { visitor: "jane" }],
  ])("of counts are refused %s", async (_what, changes) => {
    expect(await reportCounts(changes)).toBe(400);
  });

  it("of counts that the database always rejects get 400, so that they block no later ones", async () => {
    await world.sql(
      "alter table private.day_counts add constraint refuses check (name <> 'refused.example') not valid",
    );
    expect(await reportCounts({ counts: { referrer: { "refused.example": 1 } } })).toBe(400);
    expect(await reportCounts({})).toBe(200);
    await world.sql("alter table private.day_counts drop constraint refuses");
  });
});
