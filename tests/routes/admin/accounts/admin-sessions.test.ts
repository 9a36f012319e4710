import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runOperation } from "#supabase/embedded/operations/run-operation";
import { runCommand } from "../../../support/commands/admin-command";
import { runInProcess } from "../../../support/commands/run-in-process";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { makeSiteFolder } from "../../../support/site-folder";
import { Visitor, leadsTo, readText } from "../../../support/visitor";

let product: TestSite;
let dataDir: string;
/** In the operator's settings. */
let setting = testAdmin.password;
/** Typed by the admin. */
let password = testAdmin.password;

const start = async () => void (product = await startSite({ ADMIN_PASSWORD: setting }, { dataDir }));
const admin = (words: string[], input?: string) =>
  runInProcess(() => runOperation("admin", words, { DATA_DIR: dataDir }), input);
const { email } = testAdmin;

beforeAll(async () => {
  dataDir = await makeSiteFolder();
  await start();
});
afterAll(() => product.stop());

const session = "admin-session";

async function signIn(): Promise<string> {
  const visitor = new Visitor(product.url);
  expect(leadsTo(await visitor.signIn({ email, password }))).toBe("/admin");
  return visitor.cookie(session) ?? "";
}

/** Returns the same session in a browser that was last used more than an hour ago. */
function withExpiredToken(cookie: string): string {
  const content = JSON.parse(Buffer.from(cookie.replace("base64-", ""), "base64url").toString()) as object;
  return `base64-${Buffer.from(JSON.stringify({ ...content, expires_at: 1 })).toString("base64url")}`;
}

async function open(cookie: string): Promise<string> {
  const visitor = new Visitor(product.url);
  visitor.setCookie(session, cookie);
  const { status, headers } = await visitor.get("/admin");
  return status === 200 ? "the inbox" : `${status} ${leadsTo({ headers })}`;
}

/** An old session gets no further than the sign-in page, whether its token is still valid or is renewed first. */
async function expectSignedOut(cookie: string): Promise<void> {
  expect(await open(cookie)).toBe("303 /login");
  expect(await open(withExpiredToken(cookie))).toBe("303 /login");
}

/** Finds the link that a command printed last. */
const linkIn = (said: string) => /\/login\/password\?token=[\w-]{43}$/.exec(said)?.[0] ?? "";

/** The line of the only admin. */
const listed =
  /^admin@firm\.example: admin since 20\d\d-\d\d-\d\d \d\d:\d\d UTC, last sign-in 20\d\d-\d\d-\d\d \d\d:\d\d UTC, \d sessions?$/m;

const choose = (link: string, chosen: string) =>
  new Visitor(product.url).post(link, { token: link.split("=")[1]!, password: chosen, repeated: chosen });

describe("an admin's session", () => {
  it("lasts a day like its cookie, and survives five concurrent requests with an expired token", async () => {
    const visitor = new Visitor(product.url);
    const { headers } = await visitor.signIn({ email, password });
    const line = headers.getSetCookie().find((cookie) => cookie.startsWith(`${session}=`));
    expect(line).toContain("; Max-Age=86400;");
    const cookie = withExpiredToken(visitor.cookie(session) ?? "");
    const pages = await Promise.all(Array.from({ length: 5 }, () => open(cookie)));
    // On a busy machine some may be too slow (503), but none may be redirected to sign-in.
    expect(pages).toContain("the inbox");
    expect(pages).not.toContain("303 /login");
  });

  it("ends when a command sets a new password while the server runs", async () => {
    const cookie = await signIn();
    // Standard input of a process, as for an operator.
    const { code, said } = await runCommand("admin", ["set-password", email], dataDir, "a phrase from the pipe\n");
    expect(said).toMatch(/^admin@firm\.example has the new password; \d+ sessions ended\.$/m);
    expect(code).toBe(0);
    await expectSignedOut(cookie);
    const old = await new Visitor(product.url).signIn({ email, password });
    expect(old.status).toBe(401);
    password = "a phrase from the pipe";
  });

  it("ends for everybody on request", async () => {
    const cookies = [await signIn(), await signIn()];
    expect((await admin(["sign-out-all"])).said).toMatch(/^\d sessions ended\. All admins must sign in again\.$/m);
    for (const cookie of cookies) await expectSignedOut(cookie);
  });

  it("ends after commands on a stopped server, which an unchanged ADMIN_PASSWORD does not undo", async () => {
    const cookie = await signIn();
    await product.stop();
    expect((await admin(["list"])).said).toMatch(listed);
    expect(await admin(["set-password", email], "another from the pipe")).toMatchObject({ code: 0 });
    const printed = await admin(["new-password-link", email]);
    await start();
    await expectSignedOut(cookie);
    password = "another from the pipe";
    const before = await signIn();
    expect(leadsTo(await choose(linkIn(printed.said), "a phrase by the link"))).toBe("/login");
    await expectSignedOut(before);
    password = "a phrase by the link";
    expect(product.output()).toContain('"event":"embedded.admin-password-outdated"');
  });

  it("ends after a change of ADMIN_PASSWORD, which takes effect at the start", async () => {
    const cookie = await signIn();
    await product.stop();
    setting = password = "changed in the settings";
    await start();
    expect(product.output()).toContain('"event":"embedded.admin-password-changed"');
    await expectSignedOut(cookie);
  });

  it("ends with new keys", async () => {
    const cookie = await signIn();
    await product.stop();
    await rm(join(dataDir, "secrets.json"));
    await start();
    await expectSignedOut(cookie);
    expect(await open(await signIn())).toBe("the inbox");
  });
});

describe("node bin/site.mjs admin", () => {
  it("lists the accounts", async () => {
    await signIn();
    expect(await runCommand("admin", ["list"], dataDir)).toEqual({ code: 0, said: expect.stringMatching(listed) });
  });

  it("revokes the last admin only with --even-the-last, until the role is granted again", async () => {
    const cookie = await signIn();
    const refused = await admin(["revoke", email]);
    expect(refused).toEqual({
      code: 1,
      said: expect.stringContaining("To revoke the role anyway, add --even-the-last."),
    });
    expect(await open(cookie)).toBe("the inbox");

    expect(await admin(["revoke", email, "--even-the-last"])).toMatchObject({ code: 0 });
    await expectSignedOut(cookie);
    expect((await admin(["list"])).said).toContain(`${email}: revoked`);
    expect(await open(await signIn())).toBe("303 /");

    expect(await admin(["grant", email.toUpperCase()])).toEqual({
      code: 0,
      said: `Data folder: ${dataDir}\n${email} is an admin.`,
    });
    expect(await open(await signIn())).toBe("the inbox");
  });

  it("prints a link for a new admin", async () => {
    const invited = await admin(["invite", "New@firm.example"]);
    expect(invited).toMatchObject({
      code: 0,
      said: expect.stringContaining("for new@firm.example and become an admin"),
    });
    expect(leadsTo(await choose(linkIn(invited.said), "a phrase for the first time"))).toBe("/login");
    const visitor = new Visitor(product.url);
    await visitor.signIn({ email: "new@firm.example", password: "a phrase for the first time" });
    expect(readText((await visitor.get("/admin/people")).html)).toContain(
      "The site operator invited new@firm.example.",
    );
    expect(await admin(["invite", email])).toEqual({ code: 1, said: expect.stringContaining("is already an admin") });
    expect(await admin(["invite", "nobody"])).toEqual({
      code: 1,
      said: expect.stringContaining("is not an email address"),
    });
    expect(product.output()).not.toContain("token=");
    expect(await admin(["revoke", "new@firm.example"])).toMatchObject({ code: 0 });
  });

  it("changes nothing by a weak password or for an unknown address, and says why", async () => {
    const cookie = await signIn();
    const refusals: [string[], string, RegExp][] = [
      [["set-password", email], "password1234\n", /^Nothing was changed\. This password is among those guessed/],
      [["set-password", email], "too short\n", /^Nothing was changed\. Password should be at least 12 characters/],
      [["set-password", email], "", /^Nothing was changed: no password was given/],
      [
        ["set-password", "nobody@firm.example"],
        "a phrase from the pipe\n",
        /^There is no account nobody@firm\.example/,
      ],
    ];
    for (const [words, input, reason] of refusals)
      expect(await admin(words, input)).toEqual({ code: 1, said: expect.stringMatching(reason) });
    expect(await open(cookie)).toBe("the inbox");
    await signIn();
  });

  it("logs the operator's actions on an account", async () => {
    const visitor = new Visitor(product.url);
    const readLog = async () => {
      await visitor.signIn({ email, password });
      return readText((await visitor.get("/admin/people")).html).split(
        `The site operator set a new password for ${email}.`,
      );
    };
    // Three times above: twice by the command, once by the changed setting. A password set through a link is not the
    // operator's.
    expect(await readLog()).toHaveLength(4);
    await admin(["setup-code", email]);
    await admin(["reset-second-factor", email]);
    await admin(["sign-out-all"]);
    const text = (await readLog()).join();
    for (const done of [
      `created a setup code for ${email}.`,
      `reset two-step verification for ${email}.`,
      `signed ${email} out everywhere.`,
      `created a new-password link for ${email}.`,
      `made ${email} an admin.`,
      `removed ${email}.`,
    ])
      expect(text).toContain(`The site operator ${done}`);
  });
});
