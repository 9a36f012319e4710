import { describe, expect, it } from "vitest";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { runCommand } from "../../../support/commands/admin-command";
import { runInProcess } from "../../../support/commands/run-in-process";
import { tokenOf } from "../../../support/network-links";
import { startSite, testAdmin } from "../../../support/site";
import { makeSiteFolder } from "../../../support/site-folder";
import { type Visitor, leadsTo } from "../../../support/visitor";
import { setUpSecondFactor } from "../../support/authenticator";
import { openWorld } from "../support/world";

let dataDir: string;
const start = () => startSite({}, { dataDir });
const world = openWorld(async () => {
  dataDir = await makeSiteFolder();
  return start();
});

const { email } = testAdmin;
/** Typed by the admin. */
let { password } = testAdmin;
const signIn = () => world.signIn({ email, password });
const admin = (words: string[], input?: string) =>
  runInProcess(() => runOperation("admin", words, { DATA_DIR: dataDir }), input);

async function open(visitor: Visitor): Promise<string> {
  const { status, headers } = await visitor.get("/admin");
  return status === 200 ? "the inbox" : `${status} ${leadsTo({ headers })}`;
}

/** An old session gets no further than the sign-in page, whether its token is still valid or is renewed first. */
async function expectSignedOut(...admins: Visitor[]): Promise<void> {
  const copies = admins.flatMap((each) => [world.copyOf(each), world.copyOf(each, true)]);
  for (const copy of copies) expect(await open(copy)).toBe("303 /login");
}

/** Finds the link that a command printed last. */
const linkIn = (said: string) => /\/login\/password\?token=[\w-]{43}$/.exec(said)?.[0] ?? "";

const choose = (link: string, chosen: string) =>
  world.visitor().post(link, { token: tokenOf(link), password: chosen, repeated: chosen });

async function readLog(): Promise<string> {
  world.admin = await signIn();
  return world.read("/admin/people");
}

describe("an admin's session", () => {
  it("ends when a command sets a new password while the server runs", async () => {
    const signedIn = await signIn();
    // Standard input of a process, as for an operator.
    const { code, said } = await runCommand("admin", ["set-password", email], dataDir, "a phrase from the pipe\n");
    expect(said).toMatch(/^admin@firm\.example has the new password; \d+ sessions? ended\.$/m);
    expect(code).toBe(0);
    await expectSignedOut(signedIn);
    expect((await world.visitor().signIn({ email, password })).status).toBe(401);
    password = "a phrase from the pipe";
  });

  it("ends for everybody on request", async () => {
    const admins = [await signIn(), await signIn()];
    expect((await admin(["sign-out-all"])).said).toMatch(/^\d sessions ended\. All admins must sign in again\.$/m);
    await expectSignedOut(...admins);
  });

  it("ends after commands on a stopped server, which an unchanged ADMIN_PASSWORD does not undo", async () => {
    const signedIn = await signIn();
    await world.site.stop();
    const listed =
      /^admin@firm\.example: admin since 20\d\d-\d\d-\d\d \d\d:\d\d UTC, last sign-in 20\d\d-\d\d-\d\d \d\d:\d\d UTC, \d sessions?$/m;
    expect((await admin(["list"])).said).toMatch(listed);
    expect(await admin(["set-password", email], "another from the pipe")).toMatchObject({ code: 0 });
    const printed = await admin(["new-password-link", email]);
    world.site = await start();
    await expectSignedOut(signedIn);
    password = "another from the pipe";
    const before = await signIn();
    expect(leadsTo(await choose(linkIn(printed.said), "a phrase by the link"))).toBe("/login");
    await expectSignedOut(before);
    password = "a phrase by the link";
  });

  it("needs the second factor after a new password through a link, too", async () => {
    await setUpSecondFactor(await signIn());
    password = "a third phrase beside a code";
    const printed = await admin(["new-password-link", email]);
    expect(leadsTo(await choose(linkIn(printed.said), password))).toBe("/login");
    expect(leadsTo(await world.visitor().signIn({ email, password }))).toBe("/login/second-factor");
    expect(await admin(["reset-second-factor", email])).toMatchObject({ code: 0 });
  });
});

describe("node bin/site.mjs admin", () => {
  it("revokes the last admin only with --even-the-last, until the role is granted again", async () => {
    const signedIn = await signIn();
    const said = expect.stringContaining("To revoke the role anyway, add --even-the-last.");
    expect(await admin(["revoke", email])).toEqual({ code: 1, said });
    expect(await open(signedIn)).toBe("the inbox");

    expect(await admin(["revoke", email, "--even-the-last"])).toMatchObject({ code: 0 });
    await expectSignedOut(signedIn);
    expect((await admin(["list"])).said).toContain(`${email}: revoked`);
    expect(await open(await signIn())).toBe("303 /");

    const granted = { code: 0, said: `Data folder: ${dataDir}\n${email} is an admin.` };
    expect(await admin(["grant", email.toUpperCase()])).toEqual(granted);
    expect(await open(await signIn())).toBe("the inbox");
  });

  it("prints a link for a new admin, which reaches no log", async () => {
    const invited = await admin(["invite", "New@firm.example"]);
    expect(invited.said).toContain("for new@firm.example and become an admin");
    expect(leadsTo(await choose(linkIn(invited.said), "a phrase for the first time"))).toBe("/login");
    expect(await readLog()).toContain("The site operator invited new@firm.example.");
    expect(world.site.output()).not.toContain("token=");
    expect(await admin(["revoke", "new@firm.example"])).toMatchObject({ code: 0 });
  });

  it.each<[string[], string, string]>([
    [["set-password", email], "password1234\n", "Nothing was changed. This password is among those guessed"],
    [["set-password", email], "Vital Line Advisory!\n", "This password is little more than a name"],
    [["set-password", email], "", "Nothing was changed: no password was given"],
    [["set-password", "nobody@firm.example"], "a long phrase\n", "There is no account nobody@firm.example"],
    [["invite", email], "", "is already an admin"],
    [["invite", "nobody"], "", "is not an email address"],
  ])("changes nothing with %j and the input %j, and says why", async (words, input, reason) => {
    const signedIn = await signIn();
    expect(await admin(words, input)).toEqual({ code: 1, said: expect.stringContaining(reason) });
    expect(await open(signedIn)).toBe("the inbox");
  });

  it("logs the operator's actions on an account", async () => {
    for (const command of ["setup-code", "reset-second-factor", "sign-out-all"])
      await admin(command === "sign-out-all" ? [command] : [command, email]);
    const log = await readLog();
    // Twice above: a password set through a link is not the operator's.
    expect(log.split(`The site operator set a new password for ${email}.`)).toHaveLength(3);
    for (const done of [
      `created a setup code for ${email}.`,
      `reset two-step verification for ${email}.`,
      `signed ${email} out everywhere.`,
      `created a new-password link for ${email}.`,
      `made ${email} an admin.`,
      `removed ${email}.`,
    ])
      expect(log).toContain(`The site operator ${done}`);
  });
});
