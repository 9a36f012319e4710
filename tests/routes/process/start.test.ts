import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../embedded/support/start-backend";
import { makeDataDir, startProduct, testAdmin } from "../../support/product";
import { startSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";

const hosted = { SUPABASE_URL: "http://127.0.0.1:9", SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test" };

describe("starting", () => {
  it("prints address, folder and, on the very first start only, a generated password that works, and is called that until it is changed", async () => {
    const dataDir = await makeFolder();
    const settings = { ADMIN_EMAIL: "", ADMIN_PASSWORD: "" };
    const first = await startProduct(settings, { dataDir });
    expect(first.output()).toContain(dataDir);
    const [, email = "", password = ""] = /Admin:\s+(\S+)\s+password (\S+)/.exec(first.output()) ?? [];
    const admin = new Visitor(first.url);
    expect((await admin.signIn({ email, password })).headers.get("location")).toBe("/admin");
    for (const page of ["/admin", "/admin/requests"]) await expectCalledInitial(admin, page);
    await changePassword(admin, password);
    expect(await first.stop()).toBe(0);

    const second = await startProduct(settings, { dataDir });
    expect(second.output()).not.toContain(password);
    expect(second.output()).not.toMatch(/password/i);
    // The session outlives the restart, because the secrets do.
    const [, port] = second.url.split("localhost:");
    expect(port).toBeDefined();
    const returning = new Visitor(second.url);
    returning.setCookie("admin-session", admin.cookie("admin-session") ?? "");
    expect((await returning.get("/admin")).status).toBe(200);
    await second.stop();
  });

  it("keeps secrets from other users of the machine, and holds its folder against another process", async () => {
    const site = await startSite();
    for (const name of ["secrets.json", "session-secret"]) {
      expect((await stat(join(site.dataDir, name))).mode & 0o077, name).toBe(0);
    }
    expect((await readFile(join(site.dataDir, "session-secret"), "utf8")).length).toBeGreaterThanOrEqual(64);
    await expect(startProduct({}, { dataDir: site.dataDir })).rejects.toThrow(site.dataDir);
    expect((await new Visitor(site.url).post("/contact", filledContactForm)).status).toBe(303);
    await site.stop();
  });

  it("names every wrong setting at once and no value", async () => {
    const wrong = {
      PORT: "80a80",
      SITE_URL: "ftp://secret-site",
      SESSION_SECRET: "secret-short",
      ADMIN_PASSWORD: "secret-1",
    };
    const failure = await startProduct(wrong, { dataDir: await makeDataDir() }).then(
      () => "",
      (error: Error) => error.message,
    );
    for (const name of Object.keys(wrong)) expect(failure).toContain(name);
    expect(failure).not.toContain("secret-");
    expect(failure).not.toContain("80a80");
  });

  it.each([
    [{ SUPABASE_URL: hosted.SUPABASE_URL }, "SUPABASE_PUBLISHABLE_KEY is missing"],
    [{ SUPABASE_ANON_KEY: "key" }, "SUPABASE_URL is missing"],
    [hosted, "SESSION_SECRET is missing"],
  ])("refuses to start on half a backend and says what is missing", async (settings, message) => {
    await expect(startProduct(settings, { dataDir: await makeDataDir() })).rejects.toThrow(message);
  });
});

describe("on https", () => {
  it("gives Secure cookies with __Host- names, HSTS, and forms of the canonical origin only", async () => {
    const product = await startSite({ SITE_URL: "https://firm.example" });
    const visitor = new Visitor(product.url);
    const refused = await visitor.post("/contact", filledContactForm);
    expect(refused.status).toBe(403);
    const accepted = await visitor.post("/contact", filledContactForm, { Origin: "https://firm.example" });
    expect(accepted.status).toBe(303);
    const signedIn = await visitor.post("/login", testAdmin, { Origin: "https://firm.example" });
    for (const answer of [accepted, signedIn]) {
      for (const cookie of answer.headers.getSetCookie()) {
        expect(cookie).toMatch(/^__Host-[^;]+;.*; Secure/);
        expect(cookie).not.toMatch(/domain=/i);
      }
    }
    const page = await visitor.get("/admin");
    expect(page.status).toBe(200);
    expect(page.headers.get("strict-transport-security")).toContain("max-age=");
    await product.stop();
  });
});

describe("under stock remix-serve", () => {
  it("keeps the application's own promises: forms, guards, sign-in, document headers", async () => {
    const product = await startProduct({}, { server: "plain" });
    const visitor = new Visitor(product.url);
    const sent = await visitor.postAndFollow("/contact", filledContactForm);
    expect(readText(sent.html)).toContain("Message Sent!");
    expect(sent.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect((await visitor.post("/contact", { name: "x" })).status).toBe(400);
    expect((await visitor.post("/contact", { message: "x".repeat(70_000) })).status).toBe(413);
    await visitor.signIn();
    expect(readText((await visitor.get("/admin")).html)).toContain(filledContactForm.name);
    await product.kill();
  });
});

/** The page tells the owner of a generated password what it is, and where it is changed. */
async function expectCalledInitial(admin: Visitor, page: string): Promise<void> {
  const { html } = await admin.get(page);
  const text = readText(html);
  expect(html, page).toContain('href="/admin/account#password"');
  expect(text, page).toContain("Change the initial password");
  expect(text, page).toContain("Change it on your account page");
}

/** After that no page calls it initial any more. */
async function changePassword(admin: Visitor, generated: string): Promise<void> {
  const changed = await admin.postAndFollow("/admin/account", {
    intent: "change-password",
    currentPassword: generated,
    newPassword: "a phrase from the page",
    repeatedPassword: "a phrase from the page",
  });
  expect(readText(changed.html)).toContain("Password changed");
  expect(readText((await admin.get("/admin")).html)).toMatch(/Admin Dashboard(?!.*Change the initial password)/);
}
