import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { runInProcess } from "../../../support/commands/run-in-process";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { readMailsTo } from "../../../support/data-rights";
import { Visitor, leadsTo, readText } from "../../../support/visitor";
import { ageSignIn, readScan, setUpSecondFactor } from "../../support/authenticator";

const ownPage = "/admin/account/second-factor";
const challengePage = "/login/second-factor";

let site: TestSite;
const start = async (settings: Record<string, string> = {}) => void (site = await startSite(settings));
const reset = () =>
  runInProcess(() => runOperation("admin", ["reset-second-factor", testAdmin.email], { DATA_DIR: site.dataDir }));

async function makeSetupCode(): Promise<string> {
  const { said } = await runInProcess(() =>
    runOperation("admin", ["setup-code", testAdmin.email], { DATA_DIR: site.dataDir }),
  );
  return /^(?:[0-9a-f]{5}-){5}[0-9a-f]{5}$/m.exec(said)?.[0] ?? "";
}

const listSubjects = async () => (await readMailsTo(site.dataDir, testAdmin.email)).map(({ subject }) => subject);

async function signIn(): Promise<{ admin: Visitor; location: string | null }> {
  const admin = new Visitor(site.url);
  const { headers } = await admin.signIn(testAdmin);
  return { admin, location: leadsTo({ headers }) };
}

describe("a second factor", () => {
  beforeAll(() => start());
  afterEach(reset);
  afterAll(() => site.stop());

  // First, before anyone has dismissed the advice.
  it("is advised until dismissed or set up, and set up with a code from the app", async () => {
    const { admin, location } = await signIn();
    expect(location).toBe("/admin");
    expect(readText((await admin.get("/admin")).html)).toContain("Use a code from your phone when you sign in");
    expect(leadsTo(await admin.post(ownPage, { intent: "waive" }))).toBe("/admin");
    expect(readText((await admin.get("/admin")).html)).not.toContain("Use a code from your phone when you sign in");

    const scan = await admin.post(ownPage, { intent: "begin" });
    expect(scan.headers.get("cache-control")).toBe("no-store, no-transform");
    expect(scan.html).toMatch(/<img src="data:image\/svg\+xml;base64,[^"]+" alt="QR code/);
    const { fields, code } = readScan(scan.html);
    const wrong = await admin.post(ownPage, { ...fields, intent: "finish", code: "000000" });
    expect(wrong.status).toBe(401);
    expect(readText(wrong.html)).toContain("That code is not right.");
    // The key stays the same, so that the QR code need not be scanned again.
    expect(readScan(wrong.html).fields).toEqual(fields);
    const spaced = code().replace(/(...)(...)/, " $1 $2 ");
    const done = await admin.post(ownPage, { ...fields, intent: "finish", code: spaced });
    expect(done.status).toBe(200);
    expect(done.html.match(/<li class="recovery-code">[0-9a-f-]{35}<\/li>/g)).toHaveLength(10);
    expect(readText((await admin.get(ownPage)).html)).toContain("You have 10 recovery codes left.");
  });

  it("is required at the next sign-in before any admin page opens, and accepts each code once, until the operator removes it", async () => {
    const { firstCode, nextCode } = await setUpSecondFactor((await signIn()).admin);
    const { admin, location } = await signIn();
    expect(location).toBe(challengePage);
    for (const path of ["/admin", "/admin/submissions.csv", ownPage, "/admin/confirm"]) {
      const { status, headers } = await admin.get(path);
      expect([status, leadsTo({ headers })], path).toEqual([303, challengePage]);
    }
    const page = await admin.get(challengePage);
    expect(page.html).toContain('inputMode="numeric"');
    expect(page.html).toContain('autoComplete="one-time-code"');
    const used = await admin.post(challengePage, { intent: "code", code: firstCode });
    expect(used.status).toBe(401);
    expect(used.html).toMatch(/<title>Error: /);
    const right = await admin.post(challengePage, { intent: "code", code: nextCode() });
    expect(leadsTo(right)).toBe("/admin");
    expect(readText((await admin.follow(right)).html)).toContain("Login successful");
    expect(leadsTo(await admin.get(challengePage))).toBe("/admin");

    const waiting = (await signIn()).admin;
    expect((await reset()).said).toContain("no longer has a second factor");
    expect(leadsTo(await waiting.get("/admin"))).toBe("/login");
    expect((await signIn()).location).toBe("/admin");
  });

  it("challenges visitors only after the password", async () => {
    const visitor = new Visitor(site.url);
    for (const path of [challengePage, ownPage, "/admin/confirm"])
      expect(leadsTo(await visitor.get(path)), path).toBe("/login");
    expect(leadsTo(await visitor.post(challengePage, { intent: "code", code: "123456" }))).toBe("/login");
  });

  it("is removed by a recovery code", async () => {
    const { recoveryCodes } = await setUpSecondFactor((await signIn()).admin);
    const { admin } = await signIn();
    const wrong = await admin.post(challengePage, { intent: "recovery", code: "00000-00000-00000-00000" });
    expect(readText(wrong.html)).toContain("That is not one of your recovery codes");
    const waiting = (await signIn()).admin;
    const typed = recoveryCodes[0]!.toUpperCase().replaceAll("-", " ");
    const recovered = await admin.post(challengePage, { intent: "recovery", code: typed });
    expect(leadsTo(recovered)).toBe(ownPage);
    expect(readText((await admin.follow(recovered)).html)).toContain("You are signed in");
    expect((await admin.get("/admin")).status).toBe(200);
    expect(leadsTo(await waiting.get("/admin")), "its password alone is not enough").toBe("/login");
  });

  // ASVS 7.5.1 and 7.5.2.
  it("is turned off, gets new recovery codes, ends sessions and changes the password only after recent confirmation", async () => {
    const account = "/admin/account";
    const changes: Record<string, string>[] = [
      { intent: "end-other-sessions" },
      { intent: "end-session", session: crypto.randomUUID() },
      { intent: "change-password", currentPassword: testAdmin.password, newPassword: "x", repeatedPassword: "x" },
    ];
    const { admin } = await signIn();
    const change = () => Promise.all(changes.map(async (fields) => leadsTo(await admin.post(account, fields))));
    const [confirm, first] = [ownPage, account].map((page) => `/admin/confirm?next=${encodeURIComponent(page)}`) as [
      string,
      string,
    ];
    ageSignIn(admin, site.dataDir, 16);
    expect(leadsTo(await admin.post(ownPage, { intent: "begin" }))).toBe(confirm);
    expect(await change()).toEqual([first, first, null]);
    const wrong = await admin.post(confirm, { password: "not the passphrase" });
    expect(wrong.status).toBe(401);
    expect(wrong.html).not.toContain("not the passphrase");
    expect(leadsTo(await admin.post(confirm, { password: testAdmin.password }))).toBe(ownPage);
    const { nextCode } = await setUpSecondFactor(admin);

    // Only the code is recent, as after a page that does not ask for the password.
    ageSignIn(admin, site.dataDir, 16, "password");
    expect(await change()).toEqual([first, first, first]);
    ageSignIn(admin, site.dataDir, 16);
    for (const intent of ["renew", "off"]) expect(leadsTo(await admin.post(ownPage, { intent }))).toBe(confirm);
    const { password } = testAdmin;
    const code = nextCode();
    expect((await admin.post(confirm, { password })).status, "the code is asked for").toBe(400);
    expect((await admin.post(confirm, { code })).status, "the password is asked for").toBe(400);
    expect((await admin.post(confirm, { password, code: "000000" })).status).toBe(401);
    expect((await admin.post(confirm, { password: "not the passphrase", code })).status).toBe(401);
    expect(leadsTo(await admin.post(confirm, { password, code }))).toBe(ownPage);
    expect(await change()).toEqual([account, account, null]);
    expect((await admin.post(ownPage, { intent: "renew" })).html).toContain("recovery-codes.txt");
    const waiting = (await signIn()).admin;
    const off = await admin.post(ownPage, { intent: "off" });
    expect(leadsTo(off)).toBe(ownPage);
    expect(readText((await admin.follow(off)).html)).toContain("Two-step verification is off");
    expect(leadsTo(await waiting.get("/admin")), "its password alone is not enough").toBe("/login");
    expect((await signIn()).location).toBe("/admin");
  });

  it("redirects only to pages of the admin area", async () => {
    const { admin } = await signIn();
    for (const next of [
      "//evil.example",
      "/\\evil.example",
      "/\t/evil.example",
      "/admin\\..\\..\\login",
      "/admin/../login",
      "/about",
    ]) {
      const answer = await admin.post(`/admin/confirm?next=${encodeURIComponent(next)}`, {
        password: testAdmin.password,
      });
      expect(leadsTo(answer), next).toBe("/admin");
    }
  });

  it("is protected from more than five wrong codes; the owner is notified and keeps their sessions", async () => {
    const owner = (await signIn()).admin;
    const { nextCode } = await setUpSecondFactor(owner);
    const { admin } = await signIn();
    const answers = [];
    for (let count = 0; count < 6; count++)
      answers.push((await admin.post(challengePage, { intent: "code", code: "000000" })).status);
    expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
    const right = await admin.post(challengePage, { intent: "code", code: nextCode() });
    expect(right.status).toBe(429);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(60);

    await expect.poll(listSubjects).toContainEqual(expect.stringContaining("Five wrong codes"));
    expect(readText((await owner.get("/admin/people")).html)).toContain(
      `Five wrong codes were entered for ${testAdmin.email} by someone with the password.`,
    );
    expect(readText((await owner.get("/admin/account")).html)).toContain("Five wrong codes entered by");
  });
});

describe("a required second factor", () => {
  beforeAll(() => start({ ADMIN_SECOND_FACTOR: "required" }));
  afterAll(() => site.stop());

  it("must be set up by every admin, with a code from the operator", async () => {
    const { admin } = await signIn();
    expect(leadsTo(await admin.get("/admin"))).toBe(ownPage);
    expect(readText((await admin.get(ownPage)).html)).toContain("Setup code");
    // Like a thief of the password.
    await setUpSecondFactor(admin).catch(() => undefined);
    expect(leadsTo(await admin.get("/admin"))).toBe(ownPage);
    expect((await admin.post(ownPage, { intent: "setup", code: "wrong" })).status).toBe(401);
    const code = await makeSetupCode();
    expect(leadsTo(await admin.post(ownPage, { intent: "setup", code }))).toBe(ownPage);
    const thief = await signIn();
    expect(readText((await thief.admin.get(ownPage)).html), "the permission is not the account's").toContain(
      "Setup code",
    );
    expect((await thief.admin.post(ownPage, { intent: "setup", code })).status).toBe(401);
    const { nextCode, recoveryCodes } = await setUpSecondFactor(admin);
    expect((await admin.get("/admin")).status).toBe(200);
    const again = await signIn();
    expect(leadsTo(await again.admin.post(challengePage, { intent: "code", code: nextCode() }))).toBe("/admin");

    const lost = (await signIn()).admin;
    await lost.post(challengePage, { intent: "recovery", code: recoveryCodes[0]! });
    const password = (await signIn()).admin;
    expect(readText((await password.get(ownPage)).html), "the password alone").toContain("Setup code");
    await setUpSecondFactor(lost);
    expect((await lost.get("/admin")).status).toBe(200);
  });
});
