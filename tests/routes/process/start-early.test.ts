import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { isEverything } from "../../support/everything";
import { makeDataDir, startProduct } from "../../support/product";
import { Visitor, filledContactForm, leadsTo, readText } from "../../support/visitor";
import { opensOnSignal, startEarly } from "../support/early-product";

let product: Awaited<ReturnType<typeof startEarly>> | undefined;
/** Without a password in the settings the start generates one. */
const generating = { ADMIN_EMAIL: "", ADMIN_PASSWORD: "" };
/** A busy machine is slow and may respond with 503, which is allowed here. */
const polling = { timeout: 60_000, interval: 250 };

afterEach(async () => {
  product?.signal("SIGKILL");
  await product?.ended;
  product = undefined;
});

// One folder through all starts, from before it exists: each start continues where the one before ended.
describe("consecutive starts on one folder", () => {
  let folder: string;
  let admin: Visitor;
  let generated: string;
  /** with the password that the admin has chosen instead */
  let account: { email: string; password: string };

  it("the first creates a private folder with its parents, and stops at once on a signal", async () => {
    folder = join(await makeDataDir(), "deep", "data");
    product = await startEarly(folder, generating);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await expect.poll(() => readdir(folder), { interval: 20 }).toContainEqual(expect.stringMatching(/^pg\.init/));
    product.signal("SIGTERM");
    expect(await product.ended).toBe(0);
    expect(product.output()).toContain("server.stopped");
    expect(product.output()).not.toContain("Ready:");
    expect(product.output()).not.toContain('"level":"error"');
    expect(await readdir(folder)).not.toContain("pg");
  });

  it("the second prints address, folder and a working initial password, which opens only the page that changes it", async () => {
    const first = await startProduct(generating, { dataDir: folder });
    expect(first.output()).toContain(folder);
    const [, email = "", password = ""] = /Admin:\s+(\S+)\s+password (\S+)/.exec(first.output()) ?? [];
    generated = password;
    account = { email, password: "a phrase from the page" };
    admin = new Visitor(first.url);
    const signIn = async () => leadsTo(await admin.signIn({ email, password }));
    await expect.poll(signIn, polling).toBe("/admin");
    for (const page of ["/admin", "/admin/requests", "/admin/submissions.csv"])
      expect((await admin.get(page)).headers.get("location")).toBe("/admin/account");
    expect(readText((await admin.get("/admin/account")).html)).toContain("Change the initial password");
    const chosen = { newPassword: account.password, repeatedPassword: account.password };
    const fields = { intent: "change-password", currentPassword: password, ...chosen };
    expect(readText((await admin.postAndFollow("/admin/account", fields)).html)).toContain("Password changed");
    expect(readText((await admin.get("/admin")).html)).toMatch(/Admin Dashboard(?!.*Change the initial password)/);
    expect(await first.stop()).toBe(0);
  });

  it.runIf(isEverything)("the third stops on a signal while it opens an existing database", async () => {
    // The database is either closed again or was never opened.
    product = await startEarly(folder, generating);
    product.signal("SIGTERM");
    expect(await product.ended).toBe(0);
    expect(product.output()).not.toContain('"level":"error"');
  });

  it("the fourth serves pages before its backend, accepts forms only once stored, and keeps sessions", async () => {
    product = await startEarly(
      folder,
      { ...generating, ...opensOnSignal, HOST: "localhost" },
      { signInQueue: 120_000 },
    );
    const { url } = product;
    // Pages are in memory from the start, so that first visitors do not each trigger rendering.
    expect((await fetch(url)).headers.get("etag")).not.toBeNull();
    const readiness = await fetch(`${url}/readyz`);
    expect([readiness.status, await readiness.json()]).toEqual([503, { ready: false }]);
    expect(await checkHealth(url)).toBe(1);
    for (const path of ["/", "/privacy-policy", "/contact"]) expect((await fetch(url + path)).status, path).toBe(200);

    // A visitor without a session is anonymous, which needs no backend.
    for (const path of ["/admin", "/admin/requests"]) {
      const { status, headers } = await fetch(url + path, { redirect: "manual" });
      expect([status, leadsTo({ headers })], path).toEqual([303, "/login"]);
    }
    expect(await (await fetch(`${url}/healthz`)).text()).toBe("starting\n");

    // A sign-in waits longer than a form, because it is the first action after a restore and its form keeps no password.
    const signingIn = new Visitor(url).signIn(account);
    const tooEarly = await send(url, "Zero");
    // By then a sign-in that gives up like a form has given up, too.
    expect(tooEarly.status).toBe(503);
    for (const part of ["Failed to send message. Please try again or email us directly.", "Visitor Zero"])
      expect(tooEarly.text).toContain(part);
    // The database opens while this one waits. It may get 503 as well.
    const waiting = send(url, "One");
    product.signal("SIGUSR2");
    expect([303, 503]).toContain((await waiting).status);
    const signedIn = await signingIn;
    expect(signedIn.status, readText(signedIn.html)).toBe(303);
    await product.ready;
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, polling).toBe(200);
    expect(await checkHealth(url)).toBe(0);

    // The session survives the restart, because the secrets do.
    const returning = new Visitor(url);
    returning.setCookie("admin-session", admin.cookie("admin-session") ?? "");
    const readInbox = async () => readText((await returning.get("/admin")).html);
    await expect.poll(readInbox, polling).toMatch(/Admin Dashboard(?!.*Visitor Zero)/);
    // Visitors with a 503 try again. Each message is stored once, even if the first attempt was stored and only its
    // response came too late.
    for (const name of ["Zero", "One"]) {
      await expect.poll(async () => (await send(url, name)).status, polling).toBe(303);
      await expect.poll(async () => (await readInbox()).split(`Visitor ${name}`).length - 1, polling).toBe(1);
    }
    // On a busy machine the log may name a failed call, for example signInWithPassword.
    const forOperator = product.output().replaceAll(/^\{.*\n/gm, "");
    expect(forOperator).toContain("Ready:");
    expect(forOperator).not.toMatch(/password/i);
    expect(product.output()).not.toMatch(/"event":"[^"]*password/);
    for (const password of [generated, account.password]) expect(product.output()).not.toContain(password);
    // Other machines cannot reach it, so it needs no SITE_URL (`setup-warnings.test.ts`).
    expect(product.output()).not.toContain("Warning");
    product.signal("SIGTERM");
    expect(await product.ended).toBe(0);
  });
});

async function send(url: string, name: string): Promise<{ status: number; text: string }> {
  const form = { ...filledContactForm, name: `Visitor ${name}`, email: `${name.toLowerCase()}@harbor.example` };
  const { status, html } = await new Visitor(url).post("/contact", form);
  // Attributes hold typed text, which `readText` leaves out.
  return { status, text: readText(html) + html };
}

/** Runs the container's health check. @returns its exit code */
async function checkHealth(url: string): Promise<unknown> {
  const env = { PATH: process.env.PATH, PORT: new URL(url).port, NODE_ENV: "production" } as const;
  const [code] = await once(execFile(process.execPath, ["bin/site.mjs", "healthcheck"], { env }), "close");
  return code;
}
