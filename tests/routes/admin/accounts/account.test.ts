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

/** Each browser has its own address, so that none is throttled for another's attempts. */
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

const both = (chosen: string) => ({ newPassword: chosen, repeatedPassword: chosen });

/** Changes of the form that make it a mistake, and their instructions. */
const mistakes: [Record<string, string>, string][] = [
  [{ currentPassword: "", ...both("") }, "Enter your current password"],
  [{ currentPassword: "not the passphrase" }, "That is not your current password. Enter it again"],
  [both("too short"), "at least 12 characters"],
  [both("Password1234!"), "guessed first"],
  [both(testAdmin.password), "differs from your current one"],
  [{ repeatedPassword: "another new passphrase" }, "Enter the same new password again"],
];

async function opensInbox(visitor: Visitor): Promise<boolean> {
  return (await visitor.get("/admin")).status === 200;
}

describe("changing the password on the account page", () => {
  it("is linked in the admin area, shows the signed-in account, and is closed to strangers and foreign origins", async () => {
    const admin = await signIn();
    expect((await admin.get("/admin")).html).toContain('href="/admin/account"');
    const page = await admin.get("/admin/account");
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(readText(page.html)).toContain(`You are signed in as ${testAdmin.email}.`);
    expect(page.html).not.toContain("<script");
    const foreign = { Origin: "https://x.example" };
    expect((await admin.post("/admin/account", filled("a phrase of a stranger"), foreign)).status).toBe(403);

    const attacker = new Visitor(product.url);
    expect(leadsTo(await attacker.get("/admin/account"))).toBe("/login");
    expect(leadsTo(await attacker.post("/admin/account", filled("a phrase of a stranger")))).toBe("/login");
  });

  it("refuses mistakes with instructions, never shows a password again, and changes nothing", async () => {
    const [admin, other] = [await signIn(), await signIn()];
    for (const [changes, text] of mistakes) {
      const sent = filled("a new test passphrase", changes);
      const { status, html, headers } = await admin.post("/admin/account", sent);
      expect(status).toBe(400);
      expect(headers.get("cache-control")).toBe("no-store, no-transform");
      expect(html).toMatch(/<title>Error: Your account/);
      expect(readText(html)).toContain(text);
      for (const typed of [sent.currentPassword, sent.newPassword].filter(Boolean))
        expect(html).not.toContain(`"${typed}"`);
    }
    expect(await opensInbox(other)).toBe(true);
    // The old password still works.
    await signIn();
  });

  it("throttles attempts like signing in", async () => {
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

  it("keeps this session, ends all others, and notifies the owner by email", async () => {
    const [admin, other] = [await signIn(), await signIn()];
    const page = await admin.postAndFollow("/admin/account", filled("a new test passphrase"));
    expect(readText(page.html)).toContain("Password changed You stay signed in here.");
    expect([await opensInbox(admin), await opensInbox(other)]).toEqual([true, false]);
    const old = await new Visitor(product.url).post("/login", { ...testAdmin, password }, newAddress());
    expect(old.status).toBe(401);
    password = "a new test passphrase";
    await expect
      .poll(async () => (await readMailsTo(product.dataDir, testAdmin.email)).map(({ subject }) => subject))
      .toContainEqual(expect.stringMatching(/^Your password for the admin area of localhost:\d+ was changed$/));
  });

  it("leaves the operator in control: set-password ends the session that changed it", async () => {
    const admin = await signIn();
    await admin.post("/admin/account", filled("one more test passphrase"));
    expect(await opensInbox(admin)).toBe(true);
    const words = ["set-password", testAdmin.email];
    expect(await runCommand("admin", words, product.dataDir, "a phrase from the pipe\n")).toMatchObject({ code: 0 });
    expect(await opensInbox(admin)).toBe(false);
  });
});
