import { beforeAll, describe, expect, it } from "vitest";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor, filledContactForm, leadsTo, readText } from "../../support/visitor";

let product: RunningSite;

beforeAll(async () => {
  product = await shareSite();
});

describe("the admin area", () => {
  it("redirects an anonymous visitor to sign-in with an explanation", async () => {
    const visitor = new Visitor(product.url);
    const answer = await visitor.get("/admin");
    expect(leadsTo(answer)).toBe("/login");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const text = readText((await visitor.follow(answer)).html);
    expect(text).toContain("Authentication required Please login to access the admin dashboard");
  });

  it("guards its data for scripts in the same way, uncached", async () => {
    const anonymous = await new Visitor(product.url).get("/admin.data");
    expect(anonymous.headers.get("cache-control")).toBe("no-store");
    expect(anonymous.html).not.toContain("submissions");
    expect(anonymous.html).toContain("/login");
    const admin = new Visitor(product.url);
    await admin.signIn();
    const answer = await admin.get("/admin.data");
    expect(answer.html).toContain("submissions");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("shows the newest message first, its address as a mail link, and its text escaped", async () => {
    const visitor = new Visitor(product.url);
    await visitor.postAndFollow("/contact", { ...filledContactForm, name: "First Writer" });
    await visitor.postAndFollow("/contact", {
      ...filledContactForm,
      name: "<script>alert(1)</script>",
      email: "a+b'c@harbor.example",
    });
    const admin = new Visitor(product.url);
    await admin.signIn();
    const { html } = await admin.get("/admin");
    expect(html).not.toContain("<script>alert(1)");
    expect(html.indexOf("&lt;script&gt;alert(1)")).toBeGreaterThan(0);
    expect(html.indexOf("First Writer")).toBeGreaterThan(html.indexOf("&lt;script&gt;alert(1)"));
    expect(html).toContain('href="mailto:a%2Bb&#x27;c@harbor.example"');
    expect(readText(html)).toMatch(/Business stage Growth stage Goal Automate intake Received .* IP 127\.0\.0\.1/);
  });

  it("logs out with a notice, without the cookie, and revokes the old token", async () => {
    const admin = new Visitor(product.url);
    await admin.signIn();
    const session = admin.cookie("admin-session");
    expect(session).toBeDefined();
    const answer = await admin.post("/logout", {});
    expect(leadsTo(answer)).toBe("/login");
    expect(admin.cookie("admin-session")).toBeUndefined();
    expect(readText((await admin.follow(answer)).html)).toContain("Logged out You have been successfully logged out");

    const thief = new Visitor(product.url);
    thief.setCookie("admin-session", session ?? "");
    expect(leadsTo(await thief.get("/admin"))).toBe("/login");
  });

  it("refreshes an expired session once per request and sends the new one to the browser", async () => {
    const admin = new Visitor(product.url);
    await admin.signIn();
    for (let round = 0; round < 3; round++) {
      const expired = { ...readSession(admin), expires_at: 1 };
      admin.setCookie("admin-session", `base64-${Buffer.from(JSON.stringify(expired)).toString("base64url")}`);
      expect((await admin.get("/admin")).status).toBe(200);
      // A second refresh in the same request would have used up the token and ended the session.
      expect(readSession(admin).refresh_token).not.toBe(expired.refresh_token);
      expect(readSession(admin).expires_at).toBeGreaterThan(Date.now() / 1000);
    }
  });

  it("removes a session that cannot be refreshed, and tolerates a broken cookie", async () => {
    for (const forged of [
      "base64-bm90IGpzb24",
      "%00%ff",
      `base64-${btoa(JSON.stringify(expiredSession())).replace(/=+$/, "")}`,
    ]) {
      const visitor = new Visitor(product.url);
      visitor.setCookie("admin-session", forged);
      const { status, headers } = await visitor.get("/admin");
      expect(status).toBe(303);
      expect(leadsTo({ headers })).toBe("/login");
    }
    const visitor = new Visitor(product.url);
    visitor.setCookie("admin-session", `base64-${btoa(JSON.stringify(expiredSession())).replace(/=+$/, "")}`);
    await visitor.get("/admin");
    expect(visitor.cookie("admin-session")).toBeUndefined();
  });
});

function readSession(visitor: Visitor): { refresh_token: string; expires_at: number } {
  const value = visitor.cookie("admin-session")?.replace(/^base64-/, "") ?? "";
  return JSON.parse(Buffer.from(value, "base64url").toString()) as { refresh_token: string; expires_at: number };
}

function expiredSession() {
  return {
    access_token: `${btoa('{"alg":"HS256"}')}.${btoa('{"sub":"x","exp":1}')}.c2ln`,
    refresh_token: "no-such-token",
    expires_at: 1,
    expires_in: 3600,
    token_type: "bearer",
    user: { id: "00000000-0000-4000-8000-000000000000" },
  };
}
