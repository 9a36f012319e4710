import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { filledDataRightsForm } from "../../support/data-rights";
import { isEverything } from "../../support/everything";
import { startSite, testAdmin, type TestSite } from "../../support/site";
import { Visitor, filledContactForm, leadsTo, readText } from "../../support/visitor";
import { consentForm } from "../support/consent";
import { type StubProject, answerJson, startStubProject } from "../support/stub-project";

const limit = 3;
const settings = { POST_RATE_LIMIT: String(limit), TRUSTED_PROXIES: "1" };

let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `198.51.100.${++lastHost}` });

/** Every form for unauthenticated visitors as its page sends it, with the status of a first post. */
const forms: Record<string, { fields: Record<string, string>; status: number }> = {
  "/consent": { fields: consentForm("reject"), status: 303 },
  "/contact": { fields: { ...filledContactForm, name: "" }, status: 400 },
  "/data-rights": { fields: { ...filledDataRightsForm, name: "" }, status: 400 },
  "/login": { fields: { email: "somebody@firm.example", password: "" }, status: 400 },
  "/login/forgotten": { fields: { email: "" }, status: 400 },
  "/login/password": { fields: { token: "A".repeat(43), password: "", repeated: "" }, status: 400 },
  "/data-rights/confirm": { fields: { token: "A".repeat(43) }, status: 404 },
  "/data-rights/status": { fields: { token: "A".repeat(43) }, status: 404 },
  "/answered": { fields: { token: "A".repeat(43) }, status: 404 },
};

describe("posts", () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startSite(settings);
  });
  afterAll(() => site.stop());

  const post = async (path: string, address: Record<string, string>) =>
    (await new Visitor(site.url).post(path, forms[path]?.fields ?? {}, address)).status;

  it.each(isEverything ? Object.keys(forms) : ["/consent", "/contact", "/login"])(
    "to %s block no other form of the same office",
    async (path) => {
      const client = newAddress();
      for (let i = 0; i < 3 * limit; i++) await post(path, client);
      const others = Object.entries(forms).filter(([other]) => other !== path);
      const statuses = [];
      for (const [other] of others) statuses.push([other, await post(other, client)]);
      expect(statuses).toEqual(others.map(([other, { status }]) => [other, status]));
    },
  );

  it("from an office block no admin, and an admin's actions block no form", async () => {
    const client = newAddress();
    for (const path of Object.keys(forms)) for (let i = 0; i < limit + 1; i++) await post(path, client);
    const admin = new Visitor(site.url);
    expect((await admin.post("/login", testAdmin, newAddress())).status).toBe(303);
    const shared = newAddress();
    for (let i = 0; i < limit + 1; i++) {
      expect((await admin.post("/admin", { intent: "search", search: "Ada" }, shared)).status).toBe(303);
    }
    expect((await admin.get("/admin", client)).status).toBe(200);
    expect((await new Visitor(site.url).post("/contact", filledContactForm, shared)).status).toBe(303);
    expect(leadsTo(await admin.post("/logout", {}, client))).toBe("/login");
  });
});

it("refused by a full queue do not count", async () => {
  const site = await startSite(settings, { timeouts: { renderQueue: 1 } });
  const client = newAddress();
  const send = async () => (await new Visitor(site.url).post("/contact", forms["/contact"]!.fields, client)).status;
  const statuses = await Promise.all(Array.from({ length: 40 }, send));
  do statuses.push(await send());
  while (statuses.at(-1) !== 429);
  await site.stop();
  expect(statuses).toContain(503);
  expect(statuses.filter((status) => status === 400)).toHaveLength(limit);
});

const encode = (content: unknown) => `base64-${Buffer.from(JSON.stringify(content)).toString("base64url")}`;

describe("logouts", () => {
  let site: TestSite;

  beforeAll(async () => {
    site = await startSite(settings);
  });
  afterAll(() => site.stop());

  function forger(): Visitor {
    const visitor = new Visitor(site.url);
    visitor.setCookie("admin-session", encode({ access_token: "a.b.c", refresh_token: "forgedforged", expires_at: 1 }));
    return visitor;
  }

  /** Uses up the invalid sessions of one minute, several at once so that a slow machine takes no longer. */
  async function forge(use: (visitor: Visitor) => Promise<unknown>): Promise<void> {
    for (let sent = 0; sent < 60; sent += 12) await Promise.all(Array.from({ length: 12 }, () => use(forger())));
  }

  /** Signs in, in a browser without the cookie of a known device. */
  async function newcomer(): Promise<Visitor> {
    const known = new Visitor(site.url);
    await known.post("/login", testAdmin, newAddress());
    const admin = new Visitor(site.url);
    admin.setCookie("admin-session", known.cookie("admin-session") ?? "");
    return admin;
  }

  it("by dozens of attackers end no admin session, and still work from a known device; above the limit they say that the session lasts", async () => {
    const admin = await newcomer();
    const known = new Visitor(site.url);
    await known.post("/login", testAdmin, newAddress());
    const busy = newAddress();
    for (let i = 0; i < limit; i++) expect((await forger().post("/logout", {}, busy)).status).toBe(303);
    const refused = forger();
    const { status, headers, html } = await refused.post("/logout", {}, busy);
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(readText(html)).toContain("You are still signed in");
    expect(html).toContain("<title>Error: Logout | ");
    expect(refused.cookie("admin-session")).toBeDefined();
    // A visitor without a session has none to lose and costs nothing.
    expect((await new Visitor(site.url).post("/logout", {}, busy)).status).toBe(303);

    await forge((visitor) => visitor.post("/logout", {}, newAddress()));
    const kept = await admin.post("/logout", {}, newAddress());
    expect([kept.status, admin.cookie("admin-session") !== undefined]).toEqual([429, true]);
    expect((await admin.get("/admin", newAddress())).status).toBe(200);

    expect((await known.post("/logout", {}, newAddress())).status).toBe(303);
    expect(known.cookie("admin-session")).toBeUndefined();
  });

  it("along with many forged sessions make an admin wait, whose session stays", async () => {
    const admin = await newcomer();
    await forge((visitor) => visitor.get("/admin", newAddress()));
    const { status, headers, html } = await admin.get("/admin", newAddress());
    expect([status, headers.get("retry-after")]).toEqual([429, "60"]);
    expect(readText(html)).toContain("Too many requests");
    expect(admin.cookie("admin-session")).toBeDefined();
  });
});

describe("an outage", () => {
  let site: TestSite | undefined;
  let project: StubProject | undefined;

  afterEach(async () => {
    await site?.stop();
    await project?.close();
  });

  it("of the backend counts toward no limit, so that failed attempts can be repeated", async () => {
    project = await startStubProject(answerJson(503, {}));
    // The circuit breaker resets at once: an open one would block the calls, and no attempt would be counted.
    site = await startSite({ ...project.settings, ...settings }, { timeouts: { circuitReset: 1 } });
    const visitor = new Visitor(site.url);
    const person = newAddress();
    const attempts: [string, Record<string, string>][] = [
      ["/login", testAdmin],
      ["/login/forgotten", { email: testAdmin.email }],
      ["/contact", filledContactForm],
      ["/data-rights", filledDataRightsForm],
    ];
    for (const [path, fields] of attempts)
      for (let i = 0; i < limit + 2; i++)
        expect([path, (await visitor.post(path, fields, person)).status]).toEqual([path, 503]);
    project.become((call, response, request) => {
      const isFunction = call.path.startsWith("/functions/");
      const refusal = answerJson(400, { error_code: "invalid_credentials", msg: "Invalid login credentials" });
      return (isFunction ? answerJson(200, { ok: true }) : refusal)(call, response, request);
    });
    const statuses = [];
    for (const [path, fields] of attempts) statuses.push((await visitor.post(path, fields, person)).status);
    expect(statuses).toEqual([401, 303, 303, 303]);
  });
});
