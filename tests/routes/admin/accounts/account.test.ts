import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../../support/commands/admin-command";
import { readMailsTo } from "../../../support/data-rights";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { Visitor, leadsTo, readText } from "../../../support/visitor";

let product: TestSite;
let { password } = testAdmin;

beforeAll(async () => {
  product = await startSite({ TRUSTED_PROXIES: "1" });
});
afterAll(() => product.stop());

/** Every browser has an address of its own, so that none meets the attempts of another. */
let lastHost = 0;

async function signIn(): Promise<Visitor> {
  const visitor = new Visitor(product.url);
  const { headers } = await visitor.post("/login", { ...testAdmin, password }, newAddress());
  expect(leadsTo({ headers })).toBe("/admin");
  return visitor;
}

const newAddress = () => ({ "X-Forwarded-For": `203.0.113.${++lastHost}` });

const filled = (newPassword: string, changes: Record<string, string> = {}) => ({
  intent: "change-password",
  currentPassword: password,
  newPassword,
  repeatedPassword: newPassword,
  ...changes,
});

/** Two sessions of what is refused, which ends neither. */
let first: Promise<Visitor> | undefined;
let second: Promise<Visitor> | undefined;

async function opensInbox(visitor: Visitor): Promise<boolean> {
  return (await visitor.get("/admin")).status === 200;
}

describe("changing the password on the account page", () => {
  it("is reached from the admin area, and says who is signed in", async () => {
    const admin = await signIn();
    expect((await admin.get("/admin")).html).toContain('href="/admin/account"');
    const page = await admin.get("/admin/account");
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(readText(page.html)).toContain(`You are signed in as ${testAdmin.email}.`);
    expect(page.html).not.toContain("<script");
  });

  it("is closed to others", async () => {
    const stranger = new Visitor(product.url);
    expect(leadsTo(await stranger.get("/admin/account"))).toBe("/login");
    expect(leadsTo(await stranger.post("/admin/account", filled("a phrase of a stranger")))).toBe("/login");
    const foreign = await (
      await signIn()
    ).post("/admin/account", filled("a phrase of a stranger"), { Origin: "https://x.example" });
    expect(foreign.status).toBe(403);
  });

  it.each([
    ["nothing", { currentPassword: "", newPassword: "", repeatedPassword: "" }, "Enter your current password"],
    [
      "a wrong current password",
      { currentPassword: "not the passphrase" },
      "That is not your current password. Enter it again",
    ],
    ["a short one", { newPassword: "too short", repeatedPassword: "too short" }, "at least 12 characters"],
    ["a common one", { newPassword: "Password1234!", repeatedPassword: "Password1234!" }, "guessed first"],
    [
      "the same one",
      { newPassword: testAdmin.password, repeatedPassword: testAdmin.password },
      "differs from your current one",
    ],
    ["two that differ", { repeatedPassword: "another new passphrase" }, "Enter the same new password again"],
  ])("refuses %s, says what to do, and shows no password again", async (_, changes, text) => {
    const admin = await (first ??= signIn());
    const other = await (second ??= signIn());
    const sent = filled("a new test passphrase", changes);
    const { status, html, headers } = await admin.post("/admin/account", sent);
    expect(status).toBe(400);
    expect(headers.get("cache-control")).toBe("no-store, no-transform");
    expect(html).toMatch(/<title>Error: Your account/);
    expect(readText(html)).toContain(text);
    for (const typed of [sent.currentPassword, sent.newPassword].filter(Boolean))
      expect(html).not.toContain(`"${typed}"`);
    expect(await opensInbox(other)).toBe(true);
    // With the password that it was.
    await signIn();
  });

  it("is throttled like signing in", async () => {
    const admin = await signIn();
    const wrong = filled("another new passphrase", { currentPassword: "not the passphrase" });
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await admin.post("/admin/account", wrong)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
    const { status, headers, html } = await admin.post("/admin/account", filled("another new passphrase"));
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(60);
    expect(readText(html)).toContain("Too many attempts.");
    expect(await opensInbox(admin)).toBe(true);
  });

  it("keeps this session, ends all others, and tells the owner by mail", async () => {
    const [admin, other] = [await signIn(), await signIn()];
    const page = await admin.postAndFollow("/admin/account", filled("a new test passphrase"));
    expect(readText(page.html)).toContain("Password changed You stay signed in here.");
    expect([await opensInbox(admin), await opensInbox(other)]).toEqual([true, false]);
    const old = await new Visitor(product.url).post("/login", { ...testAdmin, password }, newAddress());
    expect(old.status).toBe(401);
    password = "a new test passphrase";
    expect(await opensInbox(await signIn())).toBe(true);
    await expect
      .poll(async () => (await readMailsTo(product.dataDir, testAdmin.email)).map(({ subject }) => subject), {
        timeout: 30_000,
      })
      .toContainEqual(expect.stringMatching(/^Your password for the admin area of localhost:\d+ was changed$/));
  });

  it("is no way around the operator's: set-password ends the session that has just changed it", async () => {
    const admin = await signIn();
    await admin.postAndFollow("/admin/account", filled("one more test passphrase"));
    expect(await opensInbox(admin)).toBe(true);
    const words = ["set-password", testAdmin.email];
    expect(await runCommand("admin", words, product.dataDir, "a phrase from the pipe\n")).toMatchObject({ code: 0 });
    expect(await opensInbox(admin)).toBe(false);
  });
});
