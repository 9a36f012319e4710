import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { runInProcess } from "../../../support/commands/run-in-process";
import { startSite, testAdmin } from "../../../support/site";
import { type Visitor, leadsTo } from "../../../support/visitor";
import { type Authenticator, readScan, setUpSecondFactor } from "../../support/authenticator";
import { expectPage } from "../support/pages";
import { confirmFor, openWorld } from "../support/world";

const ownPage = "/admin/account/second-factor";
const challengePage = "/login/second-factor";
const { email, password } = testAdmin;

const runAdmin = (command: string, dataDir: string) =>
  runInProcess(() => runOperation("admin", [command, email], { DATA_DIR: dataDir }));
const enter = (visitor: Visitor, code: string, intent = "code") => visitor.post(challengePage, { intent, code });

describe("a second factor", () => {
  const world = openWorld(startSite);
  const reset = () => runAdmin("reset-second-factor", world.site.dataDir);
  afterEach(reset);

  // First, before anyone has dismissed the advice.
  it("is advised until dismissed, and set up with a code from the app", async () => {
    const { admin } = world;
    const advice = "Use a code from your phone when you sign in";
    expect(await world.read("/admin")).toContain(advice);
    expect(leadsTo(await admin.post(ownPage, { intent: "waive" }))).toBe("/admin");
    expect(await world.read("/admin")).not.toContain(advice);

    const scan = await admin.post(ownPage, { intent: "begin" });
    expect(scan.headers.get("cache-control")).toBe("no-store, no-transform");
    const { fields, code } = readScan(scan.html);
    const wrong = await admin.post(ownPage, { ...fields, intent: "finish", code: "000000" });
    expectPage(wrong, 401, "That code is not right.");
    // The key stays the same, so that the QR code need not be scanned again.
    expect(readScan(wrong.html).fields).toEqual(fields);
    const spaced = code().replace(/(...)(...)/, " $1 $2 ");
    const done = await admin.post(ownPage, { ...fields, intent: "finish", code: spaced });
    expect(done.html.match(/<li class="recovery-code">[0-9a-f-]{35}<\/li>/g)).toHaveLength(10);
  });

  it("is asked for at the next sign-in, until the operator removes it", async () => {
    const { nextCode } = await setUpSecondFactor(await world.signIn());
    const [admin, waiting] = [await world.signIn(), await world.signIn()];
    const page = await admin.get(challengePage);
    expect(page.html).toContain('inputMode="numeric"');
    expect(page.html).toContain('autoComplete="one-time-code"');
    const wrong = await enter(admin, "000000");
    expectPage(wrong, 401, "That code is not right.");
    expect(wrong.html).toMatch(/<title>Error: /);
    const right = await enter(admin, nextCode());
    expect(leadsTo(right)).toBe("/admin");
    expectPage(await admin.follow(right), 200, "Login successful");
    expect(leadsTo(await admin.get(challengePage))).toBe("/admin");

    expect((await reset()).said).toContain("no longer has a second factor");
    expect(leadsTo(await waiting.get("/admin"))).toBe("/login");
    expect(leadsTo(await world.visitor().signIn())).toBe("/admin");
  });

  it("is removed by a recovery code", async () => {
    const { recoveryCodes } = await setUpSecondFactor(await world.signIn());
    const [admin, waiting] = [await world.signIn(), await world.signIn()];
    const wrong = await enter(admin, "00000-00000-00000-00000", "recovery");
    expectPage(wrong, 401, "That is not one of your recovery codes");
    const recovered = await enter(admin, recoveryCodes[0]!, "recovery");
    expect(leadsTo(recovered)).toBe(ownPage);
    expectPage(await admin.follow(recovered), 200, "You are signed in");
    expect(leadsTo(await waiting.get("/admin")), "its password alone is not enough").toBe("/login");
  });

  // ASVS 7.2.4: an attacker planted the session's cookie, or copied it, before its owner authenticated.
  it.each<[string, boolean, (app?: Authenticator) => unknown]>([
    ["sets up a factor", false, () => setUpSecondFactor(world.admin)],
    ["signs in again in the same browser", false, () => world.admin.signIn()],
    ["confirms their identity", false, () => (world.ageSignIn(), world.admin.post(confirmFor("/admin"), { password }))],
    ["enters a code at sign-in", true, (app) => enter(world.admin, app?.nextCode() ?? "")],
    ["uses a recovery code", true, (app) => enter(world.admin, app?.recoveryCodes[0] ?? "", "recovery")],
  ])("makes no use of a copied session cookie after the owner %s", async (_, hasFactor, authenticate) => {
    const app = hasFactor ? await setUpSecondFactor(await world.signIn()) : undefined;
    world.admin = await world.signIn();
    const copies = [world.copyOf(world.admin), world.copyOf(world.admin, true)];
    await authenticate(app);
    const opened = [...copies, world.admin].map(async (each) => leadsTo(await each.get("/admin/requests")));
    expect(await Promise.all(opened)).toEqual(["/login", "/login", null]);
  });
});

// ASVS 7.5.1 and 7.5.2.
describe("a change of how an admin signs in", () => {
  const world = openWorld(startSite);
  const account = "/admin/account";

  /** Tries to end sessions and to change the password. @returns addresses that the responses lead to */
  async function change(admin: Visitor): Promise<(string | null)[]> {
    const changes: Record<string, string>[] = [
      { intent: "end-other-sessions" },
      { intent: "end-session", session: crypto.randomUUID() },
      { intent: "change-password", currentPassword: password, newPassword: "x", repeatedPassword: "x" },
    ];
    return Promise.all(changes.map(async (fields) => leadsTo(await admin.post(account, fields))));
  }

  it("needs a recent password, or both a recent password and a code, and then happens", async () => {
    const { admin } = world;
    const [first, confirm] = [confirmFor(account), confirmFor(ownPage)];
    world.ageSignIn();
    expect(leadsTo(await admin.post(ownPage, { intent: "begin" }))).toBe(confirm);
    // Without a second factor, the form asks for the current password itself.
    expect(await change(admin)).toEqual([first, first, null]);
    const wrong = await admin.post(confirm, { password: "not the passphrase" });
    expect(wrong.status).toBe(401);
    expect(wrong.html).not.toContain("not the passphrase");
    expect(leadsTo(await admin.post(confirm, { password }))).toBe(ownPage);
    const { nextCode } = await setUpSecondFactor(admin);

    // Only the code is recent, as after a page that does not ask for the password.
    world.ageSignIn("password");
    expect(await change(admin)).toEqual([first, first, first]);
    world.ageSignIn();
    for (const intent of ["renew", "off"]) expect(leadsTo(await admin.post(ownPage, { intent }))).toBe(confirm);
    const code = nextCode();
    const statusOf = async (fields: Record<string, string>) => (await admin.post(confirm, fields)).status;
    expect([await statusOf({ password }), await statusOf({ code })]).toEqual([400, 400]);
    expect(await statusOf({ password, code: "000000" })).toBe(401);
    expect(await statusOf({ password: "not the passphrase", code })).toBe(401);
    expect(leadsTo(await admin.post(confirm, { password, code }))).toBe(ownPage);
    expect(await change(admin)).toEqual([account, account, null]);
    expect((await admin.post(ownPage, { intent: "renew" })).html).toContain("recovery-codes.txt");
    const waiting = await world.signIn();
    const off = await admin.post(ownPage, { intent: "off" });
    expect(leadsTo(off)).toBe(ownPage);
    expectPage(await admin.follow(off), 200, "Two-step verification is off");
    expect(leadsTo(await waiting.get("/admin")), "its password alone is not enough").toBe("/login");
    expect(leadsTo(await world.visitor().signIn())).toBe("/admin");
  });

  it("leads back to the admin area only", async () => {
    expect(leadsTo(await world.admin.post(confirmFor("//evil.example"), { password }))).toBe("/admin");
  });
});

describe("a required second factor", () => {
  const world = openWorld(() => startSite({ ADMIN_SECOND_FACTOR: "required" }));

  it("must be set up by every admin, with a code from the operator", async () => {
    const { admin } = world;
    expect(leadsTo(await admin.get("/admin"))).toBe(ownPage);
    expect(await world.read(ownPage)).toContain("Setup code");
    // Like a thief of the password.
    expect(leadsTo(await admin.post(ownPage, { intent: "begin" }))).toBe(ownPage);
    expect((await admin.post(ownPage, { intent: "setup", code: "wrong" })).status).toBe(401);
    const { said } = await runAdmin("setup-code", world.site.dataDir);
    const code = /^(?:[0-9a-f]{8}-){3}[0-9a-f]{8}$/m.exec(said)?.[0] ?? "";
    expect(leadsTo(await admin.post(ownPage, { intent: "setup", code }))).toBe(ownPage);
    await setUpSecondFactor(admin);
    expect((await admin.get("/admin")).status).toBe(200);
  });
});

// An attacker has an admin's password, but not their phone.
describe("a thief with the password who guesses codes", () => {
  const world = openWorld(startSite);
  let app: Authenticator;

  beforeAll(async () => void (app = await setUpSecondFactor(world.admin)));

  it("gets ten attempts over all sessions, five in each, then not even the right one, and is reported", async () => {
    const statuses: number[][] = [];
    for (const most of [6, 6, 1]) {
      const thief = await world.signIn();
      // The thief's device does not count as the owner's, although it has used the password.
      if (most === 1) await thief.signIn();
      const own: number[] = [];
      for (let tries = 0; tries < most; tries++) own.push((await enter(thief, "000000")).status);
      statuses.push(own);
    }
    const session = [401, 401, 401, 401, 401, 429];
    expect(statuses).toEqual([session, session, [429]]);
    const right = await enter(await world.signIn(), app.nextCode());
    expect([right.status, Number(right.headers.get("retry-after")) > 60]).toEqual([429, true]);
    expect(await world.read("/admin/people")).toContain(
      `Five wrong codes were entered for ${email} by someone with the password.`,
    );
    expect(await world.read("/admin/account")).toContain("Five wrong codes entered by");
  });

  it("does not stop the owner from confirming their identity in an open session", async () => {
    world.ageSignIn();
    const confirm = confirmFor("/admin/people");
    expect((await world.admin.post(confirm, { password, code: "000000" })).status).toBe(401);
    expect(leadsTo(await world.admin.post(confirm, { password, code: app.nextCode() }))).toBe("/admin/people");
  });

  it("does not stop the owner from signing in on a known device, or with a recovery code", async () => {
    const elsewhere = await world.signIn();
    expect((await enter(elsewhere, "000000")).status, "a new device is limited as the thief's is").toBe(429);
    await world.admin.signIn();
    expect((await enter(world.admin, "000000")).status, "the owner's device still has attempts").toBe(401);
    const lost = await world.signIn();
    for (let tries = 0; tries < 5; tries++) expect((await enter(lost, "none", "recovery")).status).toBe(401);
    expect((await enter(lost, app.recoveryCodes[0]!, "recovery")).status).toBe(429);
    expect((await enter(await world.signIn(), app.recoveryCodes[0]!, "recovery")).status).toBe(303);
  });
});
