import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { Visitor, leadsTo, readText } from "../../../support/visitor";
import { answerJson, startStubProject } from "../../support/stub-project";

let product: TestSite;
const wrong = { ...testAdmin, password: "not the passphrase" };
/** Milliseconds by which a timer may fire early. */
const early = 5;

beforeAll(async () => {
  product = await startSite({ TRUSTED_PROXIES: "1" });
});
afterAll(async () => {
  await product.stop();
});

/** Each test uses its own address, so that none is throttled for another's attempts. */
let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `203.0.113.${++lastHost}` });

describe("signing in without JavaScript", () => {
  it("opens the inbox with a notice and keeps tokens in HttpOnly cookies only", async () => {
    const admin = new Visitor(product.url);
    const answer = await admin.post("/login", testAdmin, newAddress());
    expect(answer.status).toBe(303);
    expect(leadsTo(answer)).toBe("/admin");
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/; HttpOnly/);
    const page = await admin.follow(answer);
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("no-store, no-transform");
    const text = readText(page.html);
    expect(text).toContain("Login successful Redirecting to admin dashboard...");
    expect(text).toContain("Admin Dashboard Contact Form Submissions");
    expect(text).toContain("Logout");
    expect(text).toContain("No contact submissions yet.");
    expect(page.html).not.toMatch(/access_token|refresh_token/);
  });

  it("refuses a wrong password in the provider's words, keeps the email and omits the password", async () => {
    const { status, html } = await new Visitor(product.url).post("/login", wrong, newAddress());
    expect(status).toBe(401);
    expect(readText(html)).toContain("Login failed Invalid login credentials");
    expect(html).toContain(`value="${testAdmin.email}"`);
    expect(html).not.toContain(wrong.password);
  });

  it("reports missing fields", async () => {
    const { status, html } = await new Visitor(product.url).post("/login", { email: "x" }, newAddress());
    expect(status).toBe(400);
    expect(html).toMatch(/<title>Error: Admin Login/);
    expect(readText(html)).toContain("Enter your password");
  });

  it("throttles a client after five failures, with Retry-After, and admits the owner from elsewhere", async () => {
    const client = newAddress();
    for (let i = 0; i < 5; i++) {
      expect((await new Visitor(product.url).post("/login", wrong, client)).status).toBe(401);
    }
    const throttled = await new Visitor(product.url).post("/login", testAdmin, client);
    expect(throttled.status).toBe(429);
    expect(Number(throttled.headers.get("retry-after"))).toBeGreaterThan(60);
    expect(readText(throttled.html)).toContain("Login failed Too many attempts.");
    expect((await new Visitor(product.url).post("/login", testAdmin, newAddress())).status).toBe(303);
  });
});

describe("an account under attack", () => {
  /** Long, so that a slow machine is no substitute for one of them. */
  const wait = { accountResponse: 600, signInDelay: 600 };

  it("refuses as slowly as an unknown address, before and during it, and admits the owner", async () => {
    const site = await startSite({ TRUSTED_PROXIES: "1" }, { timeouts: wait });
    try {
      const owner = new Visitor(site.url);
      await owner.post("/login", testAdmin, newAddress());
      const nobody = { ...wrong, email: "nobody@firm.example" };
      // With a hosted project an unknown email costs no hash: neither refusal may arrive before the other could.
      for (const { email } of [wrong, nobody])
        expect(await fastestRefusal(site.url, email)).toBeGreaterThanOrEqual(wait.accountResponse - early);
      for (const credentials of [wrong, nobody]) {
        await Promise.all(
          Array.from({ length: 10 }, () => new Visitor(site.url).post("/login", credentials, newAddress())),
        );
        const fastest = await fastestRefusal(site.url, credentials.email);
        expect(fastest, credentials.email).toBeGreaterThanOrEqual(wait.signInDelay + wait.accountResponse - early);
      }
      for (const visitor of [owner, new Visitor(site.url)])
        expect((await visitor.post("/login", testAdmin, newAddress())).status).toBe(303);
    } finally {
      await site.stop();
    }
  });
});

/** Measures a few refusals, each from its own address. @returns milliseconds of the fastest */
async function fastestRefusal(url: string, email: string): Promise<number> {
  const attempts = [1, 2].map(async () => {
    const begin = performance.now();
    const { status } = await new Visitor(url).post("/login", { ...wrong, email }, newAddress());
    expect(status).toBe(401);
    return performance.now() - begin;
  });
  return Math.min(...(await Promise.all(attempts)));
}

describe("the call that offers the admin role", () => {
  it.each([
    [503, true],
    [403, false],
  ])("does not block sign-in when it fails with %i (logged: %s)", async (status, isLogged) => {
    const session = { access_token: newToken(), token_type: "bearer", expires_in: 3600, refresh_token: "r" };
    const user = { id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", aud: "authenticated", email: testAdmin.email };
    const project = await startStubProject((call, response, request) => {
      if (call.path.startsWith("/auth/v1/token")) answerJson(200, { ...session, user })(call, response, request);
      else if (call.path.endsWith("/bootstrap-admin")) answerJson(status, { error: "e" })(call, response, request);
      else answerJson(200, [])(call, response, request);
    });
    const site = await startSite(project.settings);
    try {
      expect(leadsTo(await new Visitor(site.url).post("/login", testAdmin))).toBe("/admin");
      expect(project.calls.some(({ path }) => path.endsWith("/bootstrap-admin"))).toBe(true);
      expect(site.output().includes("login.bootstrap-admin-failed")).toBe(isLogged);
    } finally {
      await site.stop();
      await project.close();
    }
  });
});

/** Makes a token in the authentication service's format. The site does not verify its signature here. */
function newToken(): string {
  return `${encode({ alg: "HS256" })}.${encode({ sub: "u", exp: Math.floor(Date.now() / 1000) + 3600 })}.c2lnbmF0dXJl`;
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
