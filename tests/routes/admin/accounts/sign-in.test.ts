import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultTimeouts } from "~/server/config/timeouts.server";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { Visitor, leadsTo, readText } from "../../../support/visitor";
import { answerJson, startStubProject } from "../../support/stub-project";

let product: TestSite;
const wrong = { ...testAdmin, password: "not the passphrase" };
/** Longer than a refusal takes by itself. */
const slowedSignIn = 200;
/** How many milliseconds a timer may be early. */
const early = 5;

beforeAll(async () => {
  product = await startSite({ TRUSTED_PROXIES: "1" }, { timeouts: { slowedSignIn } });
});
afterAll(async () => {
  await product.stop();
});

/** Every test speaks from an address of its own, so that none meets the attempts of another. */
let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `203.0.113.${++lastHost}` });

describe("signing in without JavaScript", () => {
  it("takes its time to refuse, for an unknown email as for a wrong password", async () => {
    const { accountAnswer } = defaultTimeouts;
    const patient = await startSite({ TRUSTED_PROXIES: "1" }, { timeouts: { accountAnswer } });
    try {
      // With a hosted project an unknown email costs no hash: neither may come before the other could.
      for (const name of [() => wrong.email, (i: number) => `nobody${i}@firm.example`]) {
        const fastest = await fastestRefusal(patient.url, name);
        expect(fastest).toBeGreaterThanOrEqual(600 - early);
      }
    } finally {
      await patient.stop();
    }
  });

  it("leads to the inbox and says so; tokens live in HttpOnly cookies only", async () => {
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
    expect(text).toContain("Logout Admin Dashboard Contact Form Submissions");
    expect(text).toContain("No contact submissions yet.");
    expect(page.html).not.toMatch(/access_token|refresh_token/);
  });

  it("refuses a wrong password in the provider's words, keeps the email and never repeats the password", async () => {
    const { status, html } = await new Visitor(product.url).post("/login", wrong, newAddress());
    expect(status).toBe(401);
    expect(readText(html)).toContain("Login failed Invalid login credentials");
    expect(html).toContain(`value="${testAdmin.email}"`);
    expect(html).not.toContain(wrong.password);
  });

  it("asks for what is missing", async () => {
    const { status, html } = await new Visitor(product.url).post("/login", { email: "x" }, newAddress());
    expect(status).toBe(400);
    expect(html).toMatch(/<title>Error: Admin Login/);
    expect(readText(html)).toContain("Enter your password");
  });

  it("slows a client down after five failures, with the time to wait, and lets the owner in from elsewhere", async () => {
    const stranger = newAddress();
    for (let i = 0; i < 5; i++) {
      expect((await new Visitor(product.url).post("/login", wrong, stranger)).status).toBe(401);
    }
    const throttled = await new Visitor(product.url).post("/login", testAdmin, stranger);
    expect(throttled.status).toBe(429);
    expect(Number(throttled.headers.get("retry-after"))).toBeGreaterThan(60);
    expect(readText(throttled.html)).toContain("Login failed Too many attempts.");
    expect((await new Visitor(product.url).post("/login", testAdmin, newAddress())).status).toBe(303);
  });

  it("slows strangers from many places who try passwords, and lets the owner in", async () => {
    const owner = new Visitor(product.url);
    await owner.post("/login", testAdmin, newAddress());
    for (let round = 0; round < 6; round++) {
      const attempts = [1, 2, 3].map(() => new Visitor(product.url).post("/login", wrong, newAddress()));
      for (const { status } of await Promise.all(attempts)) expect(status).toBe(401);
    }
    expect(await fastestRefusal(product.url, () => wrong.email)).toBeGreaterThanOrEqual(slowedSignIn - early);
    expect((await owner.post("/login", testAdmin, newAddress())).status).toBe(303);
    expect((await new Visitor(product.url).post("/login", testAdmin, newAddress())).status).toBe(303);
  });
});

describe("an account under attack", () => {
  const wait = { accountAnswer: 100, slowedSignIn: 200 };

  it("is as slow to refuse as an address without an account, and no hash shows behind the wait", async () => {
    const site = await startSite({ TRUSTED_PROXIES: "1" }, { timeouts: wait });
    try {
      const nobody = { ...wrong, email: "nobody@firm.example" };
      for (const credentials of [wrong, nobody]) {
        for (let failures = 0; failures < 10; failures++)
          await new Visitor(site.url).post("/login", credentials, newAddress());
        const fastest = await fastestRefusal(site.url, () => credentials.email);
        expect(fastest, credentials.email).toBeGreaterThanOrEqual(wait.slowedSignIn + wait.accountAnswer - early);
      }
    } finally {
      await site.stop();
    }
  });
});

/** @returns milliseconds of the fastest of some failures, each from an address of its own */
async function fastestRefusal(url: string, email: (i: number) => string): Promise<number> {
  const attempts = Array.from({ length: 4 }, async (_, i) => {
    const begin = performance.now();
    const { status } = await new Visitor(url).post("/login", { ...wrong, email: email(i) }, newAddress());
    expect(status).toBe(401);
    return performance.now() - begin;
  });
  return Math.min(...(await Promise.all(attempts)));
}

describe("the offer of the admin's role", () => {
  it.each([
    [503, true],
    [403, false],
  ])("that is answered %i does not stop anybody, and is in the log: %s", async (status, isLogged) => {
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

/** A token as the authentication service gives it; nobody checks its signature here. */
function newToken(): string {
  return `${encode({ alg: "HS256" })}.${encode({ sub: "u", exp: Math.floor(Date.now() / 1000) + 3600 })}.c2lnbmF0dXJl`;
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
