import { describe, expect, it } from "vitest";
import { withDatabaseOf } from "../../../support/find-text";
import { startSite, testAdmin } from "../../../support/site";
import { makeSiteFolder } from "../../../support/site-folder";
import { hashCheaply } from "../../../support/test-admin";
import { type Visitor, leadsTo, readText } from "../../../support/visitor";
import { newClient } from "../../support/world";
import { expectPage } from "../support/pages";
import { openWorld } from "../support/world";

/** One password, as Windows and as macOS may send it. */
const composed = "Gänsefüßchen und Rad".normalize("NFC");
const inParts = composed.normalize("NFD");
/** A legacy account: its password was stored as typed, and no form would accept its address today. */
const old = { email: "boss@intranet", password: inParts };
/** Its password has the maximum length for bcrypt. */
const full = { email: "full@firm.example", password: "k7 frost Lantern ".repeat(5).slice(0, 72) };

const world = openWorld(async () => {
  const dataDir = await makeSiteFolder();
  await withDatabaseOf(dataDir, async (sql) => {
    for (const { email, password } of [old, full])
      await sql(
        `with person as (
           insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
           values (gen_random_uuid(), 'authenticated', 'authenticated', $1, $2, now(),
             '{"provider": "email", "providers": ["email"]}', '{}') returning id)
         insert into public.user_roles (user_id, role) select id, 'admin' from person`,
        [email, await hashCheaply(password)],
      );
  });
  return startSite({ TRUSTED_PROXIES: "1" }, { dataDir });
});

const account = "/admin/account";
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0";
const { password } = testAdmin;

/** Signs the test admin in from a new address, so that no test is throttled for another's attempts. */
async function signInWith(userAgent: string, visitor = world.visitor()): Promise<Visitor> {
  await visitor.post("/login", { ...testAdmin, password }, { ...newClient(), "User-Agent": userAgent });
  expect(await opensInbox(visitor)).toBe(true);
  return visitor;
}

const signIn = () => signInWith("Browser");
const trySignIn = async (email: string, typed: string) =>
  (await world.visitor().post("/login", { email, password: typed }, newClient())).status;
const opensInbox = async (visitor: Visitor) => (await visitor.get("/admin")).status === 200;
const endable = (html: string) => [...html.matchAll(/name="session" value="([^"]+)"/g)].map(([, id = ""]) => id);
const readAccount = async (visitor: Visitor) => (await visitor.get(account)).html;

describe("the account page", () => {
  it("names the account, each session's browser in plain words, each sign-in, and a new device only once", async () => {
    await signInWith("Mozilla/5.0 <b>Own</b> Browser");
    const admin = await signInWith(firefox);
    await admin.post("/logout", {});
    await signInWith(firefox, admin);
    const page = await admin.get(account);
    expectPage(
      page,
      200,
      `You are signed in as ${testAdmin.email}.`,
      /Firefox on Linux Signed in [A-Z][a-z]{2} \d+, .+ UTC, last used .+ UTC This session/,
      "Unknown browser Signed in",
      /Signed in: Firefox on Linux .+ UTC Signed in on a new device: Firefox on Linux .+ UTC/,
    );
    expect(page.html).not.toMatch(/Mozilla|Own/);
  });

  it("ends one session, whose next click leads to sign-in, or all others, and then offers no more to end", async () => {
    const [desk, goes] = [await signIn(), await signIn()];
    const ownIds = endable(await readAccount(goes));
    const gone = endable(await readAccount(desk)).find((id) => !ownIds.includes(id)) ?? "";
    const ended = await desk.postAndFollow(account, { intent: "end-session", session: gone });
    expectPage(ended, 200, "Session ended That device must sign in again.");
    expect(leadsTo(await goes.get("/admin/requests"))).toBe("/login");

    const page = await desk.postAndFollow(account, { intent: "end-other-sessions" });
    expectPage(page, 200, "Other sessions ended You are now signed in only here.");
    expect(readText(page.html)).not.toContain("End all other sessions");
    expect(endable(page.html)).toEqual([]);
  });
});

describe("signing in", () => {
  it("accepts a legacy account's unnormalized password and invalid address, and confirms that password", async () => {
    const visitor = await world.signIn(old, newClient());
    expect(await opensInbox(visitor)).toBe(true);
    expect((await visitor.post("/admin/confirm", { password: old.password })).status).toBe(303);
    expect(await trySignIn(old.email, "Gansefuesschen und Rad")).toBe(401);
  });

  it("accepts a password of 72 bytes exactly, and nothing longer", async () => {
    expect(await trySignIn(full.email, full.password)).toBe(303);
    expect(await trySignIn(full.email, `${full.password}x`)).toBe(401);
  });
});

const filled = (newPassword: string, changes: Record<string, string> = {}) => ({
  intent: "change-password",
  currentPassword: password,
  newPassword,
  repeatedPassword: newPassword,
  ...changes,
});

const both = (chosen: string) => ({ newPassword: chosen, repeatedPassword: chosen });

describe("changing the password on the account page", () => {
  it.each<[Record<string, string>, string]>([
    [{ currentPassword: "", ...both("") }, "Enter your current password"],
    [{ currentPassword: "not the passphrase" }, "That is not your current password. Enter it again"],
    [both("too short"), "at least 12 characters"],
    [both("Password1234!"), "guessed first"],
    [both(`${testAdmin.email}-2026`), "a name that others know"],
    [both("Vital Line Advisory!"), "a name that others know"],
    [both(testAdmin.password), "differs from your current one"],
    [{ repeatedPassword: "another new passphrase" }, "Enter the same new password again"],
  ])("refuses %o with instructions, shows no password again, and changes nothing", async (changes, text) => {
    const admin = await signIn();
    const sent = filled("a new test passphrase", changes);
    const refused = await admin.post(account, sent);
    expectPage(refused, 400, text);
    expect(refused.html).toMatch(/<title>Error: Your account/);
    const data = await admin.post(`${account}.data`, sent);
    expect(data.html).toContain(text);
    for (const typed of [sent.currentPassword, sent.newPassword].filter(Boolean))
      expect(refused.html + data.html).not.toContain(`"${typed}"`);
    // The old password still works.
    await signIn();
  });

  it("is throttled like signing in after ten wrong attempts", async () => {
    const admin = await signIn();
    const wrong = filled("another new passphrase", { currentPassword: "not the passphrase" });
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await admin.post(account, wrong)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
    const right = await admin.post(account, filled("another new passphrase"));
    expectPage(right, 429, "Too many attempts.");
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(60);
  });

  it("keeps this session, and stores a password that works from any keyboard", async () => {
    const admin = await signIn();
    const page = await admin.postAndFollow(account, filled(inParts, { repeatedPassword: composed }));
    expectPage(page, 200, "Password changed You stay signed in here.");
    expect(await trySignIn(testAdmin.email, password)).toBe(401);
    for (const typed of [composed, inParts]) expect(await trySignIn(testAdmin.email, typed)).toBe(303);
  });
});
