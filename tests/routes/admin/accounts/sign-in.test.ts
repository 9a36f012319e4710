import { describe, expect, it } from "vitest";
import { startSite, testAdmin } from "../../../support/site";
import { type Visitor, leadsTo } from "../../../support/visitor";
import { readSession, sessionCookie } from "../../support/authenticator";
import { encodeSession, newClient } from "../../support/world";
import { expectDone, expectPage, valueOf } from "../support/pages";
import { openWorld } from "../support/world";

const world = openWorld(() => startSite({ TRUSTED_PROXIES: "1" }));
const wrong = { ...testAdmin, password: "not the passphrase" };

/** Each attempt uses its own address by default, so that none is throttled for another. */
const tryToSignIn = (fields: Record<string, string>, address = newClient()) =>
  world.visitor().post("/login", fields, address);

describe("signing in without JavaScript", () => {
  it("opens the inbox with a notice and keeps tokens in HttpOnly cookies only", async () => {
    const admin = world.visitor();
    const answer = await admin.signIn();
    expect(leadsTo(answer)).toBe("/admin");
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/; HttpOnly/);
    const page = await admin.follow(answer);
    const words = ["Login successful Redirecting to admin dashboard...", "Logout", "No contact submissions yet."];
    expectPage(page, 200, "Admin Dashboard Contact Form Submissions", ...words);
    expect(page.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(page.html).not.toMatch(/access_token|refresh_token/);
  });

  it("refuses a wrong password in the provider's words, keeps the email and omits the password", async () => {
    const refused = await tryToSignIn(wrong);
    expectPage(refused, 401, "Login failed Invalid login credentials");
    expect(valueOf(refused.html, { name: "email" })).toBe(testAdmin.email);
    expect(refused.html).not.toContain(wrong.password);
  });

  it("reports missing fields", async () => {
    const refused = await tryToSignIn({ email: "x" });
    expectPage(refused, 400, "Enter your password");
    expect(refused.html).toMatch(/<title>Error: Admin Login/);
  });

  it("throttles a client after five failures, with Retry-After, and admits the owner from elsewhere", async () => {
    const client = newClient();
    for (let i = 0; i < 5; i++) expect((await tryToSignIn(wrong, client)).status).toBe(401);
    const throttled = await tryToSignIn(testAdmin, client);
    expectPage(throttled, 429, "Login failed Too many attempts.");
    expect(Number(throttled.headers.get("retry-after"))).toBeGreaterThan(60);
    expect((await tryToSignIn(testAdmin)).status).toBe(303);
  });
});

describe("an account under attack", () => {
  /** Long, so that a slow machine is no substitute for one of them. */
  const wait = { accountResponse: 600, signInDelay: 600 };
  /** Milliseconds by which a timer may fire early. */
  const early = 5;
  const slow = openWorld(() => startSite({ TRUSTED_PROXIES: "1" }, { timeouts: wait }));

  /** Measures a few refusals, each from its own address. @returns milliseconds of the fastest */
  async function fastestRefusal(credentials: typeof wrong): Promise<number> {
    const attempts = [1, 2].map(async () => {
      const begin = performance.now();
      expect((await slow.visitor().post("/login", credentials, newClient())).status).toBe(401);
      return performance.now() - begin;
    });
    return Math.min(...(await Promise.all(attempts)));
  }

  it("refuses as slowly as an unknown address, before and during it, and admits the owner", async () => {
    const owner = await slow.signIn(testAdmin, newClient());
    const nobody = { ...wrong, email: "nobody@firm.example" };
    // With a hosted project an unknown email costs no hash: neither refusal may arrive before the other could.
    for (const credentials of [wrong, nobody])
      expect(await fastestRefusal(credentials)).toBeGreaterThanOrEqual(wait.accountResponse - early);
    for (const credentials of [wrong, nobody]) {
      const crowd = Array.from({ length: 10 }, () => slow.visitor().post("/login", credentials, newClient()));
      await Promise.all(crowd);
      const slowed = wait.signInDelay + wait.accountResponse - early;
      expect(await fastestRefusal(credentials), credentials.email).toBeGreaterThanOrEqual(slowed);
    }
    for (const visitor of [owner, slow.visitor()])
      expect((await visitor.post("/login", testAdmin, newClient())).status).toBe(303);
  });
});

describe("a session", () => {
  it("ends at the sign-out for its browser, which says so, and for a copy of its cookie", async () => {
    const admin = await world.signIn();
    const copy = world.copyOf(admin);
    expect((await copy.get("/admin")).status).toBe(200);
    expectDone(await admin.post("/logout", {}), "/login", "loggedOut");
    expect(admin.cookie("admin-session")).toBeUndefined();
    expect(leadsTo(await copy.get("/admin"))).toBe("/login");
  });

  it("lasts a day like its cookie, and is refreshed once in a request after its token expired", async () => {
    const admin = world.visitor();
    const { headers } = await admin.signIn();
    const cookie = headers.getSetCookie().find((line) => line.startsWith("admin-session="));
    expect(cookie).toContain("; Max-Age=86400;");
    const expired = { ...readSession(admin.cookie("admin-session")), expires_at: 1 };
    admin.setCookie("admin-session", sessionCookie(expired));
    expect((await admin.get("/admin")).status).toBe(200);
    const renewed = readSession(admin.cookie("admin-session"));
    expect(renewed.refresh_token).not.toBe(expired.refresh_token);
    expect(renewed.expires_at).toBeGreaterThan(Date.now() / 1000);
    // A second refresh in the same request would have used up the token and ended the session.
    expect((await admin.get("/admin")).status).toBe(200);
  });
});

/** Cookie of a session that the service does not know. */
const forged = encodeSession();

describe("search words", () => {
  const search = { intent: "search", search: "ada@fund.example" };

  it("cannot be read in the browser's cookie, nor from one that another key encrypted", async () => {
    const admin = await world.signIn();
    const address = leadsTo(await admin.post("/admin", search)) ?? "";
    const value = admin.cookie("admin-search") ?? "";
    expect(Buffer.from(value, "base64url").toString("latin1")).not.toMatch(/submissions|ada@|YWRh/);
    expect((await admin.get(address)).html).toContain('value="ada@fund.example"');
    admin.setCookie(
      "admin-search",
      value.replace(/^./, (first) => (first === "A" ? "B" : "A")),
    );
    expect((await admin.get(address)).html).toContain("That search has expired.");
  });

  it.each([
    ["the admin signs out", (admin: Visitor) => admin.post("/logout", {})],
    ["the session is gone", (admin: Visitor) => (admin.setCookie("admin-session", ""), admin.get("/admin"))],
    ["the session is refused", (admin: Visitor) => (admin.setCookie("admin-session", forged), admin.get("/admin"))],
    ["somebody signs in", (admin: Visitor) => admin.signIn()],
  ])("leave the browser when %s", async (_case, end) => {
    const admin = await world.signIn();
    await admin.post("/admin", search);
    expect(admin.cookie("admin-search")).toBeDefined();
    await end(admin);
    expect(admin.cookie("admin-search")).toBeUndefined();
  });
});

describe("a forged session", () => {
  it.each(["%00%ff", forged])("leads to sign-in: %s", async (cookie) => {
    const visitor = world.visitor();
    visitor.setCookie("admin-session", cookie);
    expectDone(await visitor.get("/admin"), "/login", "loginRequired");
    expect(visitor.cookie("admin-session")).toBeUndefined();
  });

  it("is replaced by a sign-in, without an error in the log", async () => {
    const visitor = world.visitor();
    visitor.setCookie("admin-session.0", forged.slice(0, 30));
    visitor.setCookie("admin-session.1", forged.slice(30));
    const before = world.site.output().length;
    expect((await visitor.signIn()).status).toBe(303);
    expect(visitor.cookie("admin-session.0")).toBeUndefined();
    expect((await visitor.get("/admin")).status).toBe(200);
    const printed = world.site.output().slice(before);
    expect(printed).not.toContain('"level":"error"');
    const lines = printed.match(/.*"event":"(?:session|sign-in)\..*/g) ?? [];
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { event: "session.event", kind: "SIGNED_IN", level: "info" },
      { event: "session.event", kind: "SIGNED_OUT", level: "info" },
      { event: "sign-in.attempt", result: "succeeded", level: "info" },
    ]);
  });
});
