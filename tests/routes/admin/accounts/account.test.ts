import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { Visitor, leadsTo, readText } from "../../../support/visitor";
import { expectPage } from "../support/pages";

let site: TestSite;
let { password } = testAdmin;

beforeAll(async () => void (site = await startSite({ TRUSTED_PROXIES: "1" })));
afterAll(() => site?.stop());

/** Each browser has its own address, so that none is throttled for another's attempts. */
let lastHost = 0;
const newAddress = () => ({ "X-Forwarded-For": `203.0.113.${++lastHost}` });

async function signIn(): Promise<Visitor> {
  const visitor = new Visitor(site.url);
  expect(leadsTo(await visitor.post("/login", { ...testAdmin, password }, newAddress()))).toBe("/admin");
  return visitor;
}

const opensInbox = async (visitor: Visitor) => (await visitor.get("/admin")).status === 200;

const filled = (newPassword: string, changes: Record<string, string> = {}) => ({
  intent: "change-password",
  currentPassword: password,
  newPassword,
  repeatedPassword: newPassword,
  ...changes,
});

const both = (chosen: string) => ({ newPassword: chosen, repeatedPassword: chosen });

describe("changing the password on the account page", () => {
  it("names the account that is signed in", async () => {
    const page = await (await signIn()).get("/admin/account");
    expect(readText(page.html)).toContain(`You are signed in as ${testAdmin.email}.`);
  });

  it.each<[Record<string, string>, string]>([
    [{ currentPassword: "", ...both("") }, "Enter your current password"],
    [{ currentPassword: "not the passphrase" }, "That is not your current password. Enter it again"],
    [both("too short"), "at least 12 characters"],
    [both("Password1234!"), "guessed first"],
    [both(testAdmin.password), "differs from your current one"],
    [{ repeatedPassword: "another new passphrase" }, "Enter the same new password again"],
  ])("refuses %o with instructions, shows no password again, and changes nothing", async (changes, text) => {
    const [admin, other] = [await signIn(), await signIn()];
    const sent = filled("a new test passphrase", changes);
    const refused = await admin.post("/admin/account", sent);
    expectPage(refused, 400, text);
    expect(refused.html).toMatch(/<title>Error: Your account/);
    for (const typed of [sent.currentPassword, sent.newPassword].filter(Boolean))
      expect(refused.html).not.toContain(`"${typed}"`);
    expect(await opensInbox(other)).toBe(true);
    // The old password still works.
    await signIn();
  });

  it("is throttled like signing in after ten wrong attempts", async () => {
    const admin = await signIn();
    const wrong = filled("another new passphrase", { currentPassword: "not the passphrase" });
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await admin.post("/admin/account", wrong)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
    const right = await admin.post("/admin/account", filled("another new passphrase"));
    expectPage(right, 429, "Too many attempts.");
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(60);
    expect(await opensInbox(admin)).toBe(true);
  });

  it("keeps this session and ends all others", async () => {
    const [admin, other] = [await signIn(), await signIn()];
    const page = await admin.postAndFollow("/admin/account", filled("a new test passphrase"));
    expectPage(page, 200, "Password changed You stay signed in here.");
    expect([await opensInbox(admin), await opensInbox(other)]).toEqual([true, false]);
    const old = await new Visitor(site.url).post("/login", { ...testAdmin, password }, newAddress());
    expect(old.status).toBe(401);
    password = "a new test passphrase";
  });
});
