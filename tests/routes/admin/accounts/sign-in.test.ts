import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { Visitor, leadsTo } from "../../../support/visitor";
import { expectPage, valueOf } from "../support/pages";

const wrong = { ...testAdmin, password: "not the passphrase" };

/** Each test uses its own address, so that none is throttled for another's attempts. */
let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `203.0.113.${++lastHost}` });

describe("signing in without JavaScript", () => {
  let site: TestSite;
  beforeAll(async () => void (site = await startSite({ TRUSTED_PROXIES: "1" })));
  afterAll(() => site?.stop());
  const post = (fields: Record<string, string>, address = newAddress(), visitor = new Visitor(site.url)) =>
    visitor.post("/login", fields, address);

  it("opens the inbox with a notice and keeps tokens in HttpOnly cookies only", async () => {
    const admin = new Visitor(site.url);
    const answer = await post(testAdmin, newAddress(), admin);
    expect(leadsTo(answer)).toBe("/admin");
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/; HttpOnly/);
    const page = await admin.follow(answer);
    expectPage(
      page,
      200,
      "Login successful Redirecting to admin dashboard...",
      "Admin Dashboard Contact Form Submissions",
      "Logout",
      "No contact submissions yet.",
    );
    expect(page.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(page.html).not.toMatch(/access_token|refresh_token/);
  });

  it("refuses a wrong password in the provider's words, keeps the email and omits the password", async () => {
    const refused = await post(wrong);
    expectPage(refused, 401, "Login failed Invalid login credentials");
    expect(valueOf(refused.html, { name: "email" })).toBe(testAdmin.email);
    expect(refused.html).not.toContain(wrong.password);
  });

  it("reports missing fields", async () => {
    const refused = await post({ email: "x" });
    expectPage(refused, 400, "Enter your password");
    expect(refused.html).toMatch(/<title>Error: Admin Login/);
  });

  it("throttles a client after five failures, with Retry-After, and admits the owner from elsewhere", async () => {
    const client = newAddress();
    for (let i = 0; i < 5; i++) expect((await post(wrong, client)).status).toBe(401);
    const throttled = await post(testAdmin, client);
    expectPage(throttled, 429, "Login failed Too many attempts.");
    expect(Number(throttled.headers.get("retry-after"))).toBeGreaterThan(60);
    expect((await post(testAdmin)).status).toBe(303);
  });
});

describe("an account under attack", () => {
  /** Long, so that a slow machine is no substitute for one of them. */
  const wait = { accountResponse: 600, signInDelay: 600 };
  /** Milliseconds by which a timer may fire early. */
  const early = 5;
  let site: TestSite;
  beforeAll(async () => void (site = await startSite({ TRUSTED_PROXIES: "1" }, { timeouts: wait })));
  afterAll(() => site?.stop());

  /** Measures a few refusals, each from its own address. @returns milliseconds of the fastest */
  async function fastestRefusal(credentials: typeof wrong): Promise<number> {
    const attempts = [1, 2].map(async () => {
      const begin = performance.now();
      expect((await new Visitor(site.url).post("/login", credentials, newAddress())).status).toBe(401);
      return performance.now() - begin;
    });
    return Math.min(...(await Promise.all(attempts)));
  }

  it("refuses as slowly as an unknown address, before and during it, and admits the owner", async () => {
    const owner = new Visitor(site.url);
    await owner.post("/login", testAdmin, newAddress());
    const nobody = { ...wrong, email: "nobody@firm.example" };
    // With a hosted project an unknown email costs no hash: neither refusal may arrive before the other could.
    for (const credentials of [wrong, nobody])
      expect(await fastestRefusal(credentials)).toBeGreaterThanOrEqual(wait.accountResponse - early);
    for (const credentials of [wrong, nobody]) {
      const crowd = Array.from({ length: 10 }, () => new Visitor(site.url).post("/login", credentials, newAddress()));
      await Promise.all(crowd);
      const slowed = wait.signInDelay + wait.accountResponse - early;
      expect(await fastestRefusal(credentials), credentials.email).toBeGreaterThanOrEqual(slowed);
    }
    for (const visitor of [owner, new Visitor(site.url)])
      expect((await visitor.post("/login", testAdmin, newAddress())).status).toBe(303);
  });
});
