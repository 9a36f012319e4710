import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../support/admin-command";
import { makeDataDir, startProduct } from "../../support/product";
import { startSite, testAdmin, type TestSite } from "../../support/site";
import { Visitor, readText } from "../../support/visitor";

let product: TestSite;
let dataDir: string;
/** As the operator has set it. */
let setting = testAdmin.password;
/** As the admin types it. */
let password = testAdmin.password;

const start = async () => void (product = await startSite({ ADMIN_PASSWORD: setting }, { dataDir }));
const admin = (words: string[], input?: string) => runCommand("admin", words, dataDir, input);
const { email } = testAdmin;

beforeAll(async () => {
  dataDir = await makeDataDir();
  await start();
});
afterAll(() => product.stop());

const session = "admin-session";

async function signIn(): Promise<string> {
  const visitor = new Visitor(product.url);
  expect((await visitor.signIn({ email, password })).headers.get("location")).toBe("/admin");
  return visitor.cookie(session) ?? "";
}

/** The same session in a browser that has not come for an hour. */
function withExpiredToken(cookie: string): string {
  const content = JSON.parse(Buffer.from(cookie.replace("base64-", ""), "base64url").toString()) as object;
  return `base64-${Buffer.from(JSON.stringify({ ...content, expires_at: 1 })).toString("base64url")}`;
}

async function open(cookie: string): Promise<string> {
  const visitor = new Visitor(product.url);
  visitor.setCookie(session, cookie);
  const { status, headers } = await visitor.get("/admin");
  return status === 200 ? "the inbox" : `${status} ${headers.get("location")}`;
}

/** Nothing of an old session gets further than the sign-in page, whether its token is still valid or is renewed first. */
async function expectSignedOut(cookie: string): Promise<void> {
  expect(await open(cookie)).toBe("303 /login");
  expect(await open(withExpiredToken(cookie))).toBe("303 /login");
}

describe("an admin's session", () => {
  it("is kept by a browser that asks for five pages at once with an expired token", async () => {
    const cookie = withExpiredToken(await signIn());
    const pages = await Promise.all(Array.from({ length: 5 }, () => open(cookie)));
    // On a machine that is busy with other things some may be too slow (503); none may be told to sign in.
    expect(pages).toContain("the inbox");
    expect(pages).not.toContain("303 /login");
  });

  it("has a cookie that lives for the day that the session can last", async () => {
    const { headers } = await new Visitor(product.url).signIn({ email, password });
    const line = headers.getSetCookie().find((cookie) => cookie.startsWith(`${session}=`));
    expect(line).toContain("; Max-Age=86400;");
  });

  it("ends with a new password, set while the server runs", async () => {
    const cookie = await signIn();
    const { code, said } = await admin(["set-password", email], "a phrase from the pipe\n");
    expect(said).toMatch(/^admin@firm\.example has the new password; \d+ sessions ended\.$/);
    expect(code).toBe(0);
    await expectSignedOut(cookie);
    const old = await new Visitor(product.url).signIn({ email, password });
    expect(old.status).toBe(401);
    password = "a phrase from the pipe";
    expect(await open(await signIn())).toBe("the inbox");
  });

  it("ends for everybody on request", async () => {
    const cookies = [await signIn(), await signIn()];
    expect((await admin(["sign-out-all"])).said).toMatch(/^\d sessions ended\. Everybody signs in again\.$/);
    for (const cookie of cookies) await expectSignedOut(cookie);
  });

  it("ends with a new password set while the server is stopped, which no unchanged ADMIN_PASSWORD undoes", async () => {
    const cookie = await signIn();
    await product.stop();
    expect(await admin(["set-password", email], "another from the pipe")).toMatchObject({ code: 0 });
    await start();
    await expectSignedOut(cookie);
    password = "another from the pipe";
    expect(await open(await signIn())).toBe("the inbox");
    expect(product.output()).toContain('"event":"embedded.admin-password-outdated"');
  });

  it("ends with a changed ADMIN_PASSWORD, which takes effect at the start", async () => {
    const cookie = await signIn();
    await product.stop();
    setting = password = "changed in the settings";
    await start();
    expect(product.output()).toContain('"event":"embedded.admin-password-changed"');
    await expectSignedOut(cookie);
    expect(await open(await signIn())).toBe("the inbox");
  });

  it("ends with new keys", async () => {
    const cookie = await signIn();
    await product.stop();
    await rm(join(dataDir, "secrets.json"));
    await start();
    await expectSignedOut(cookie);
    expect(await open(await signIn())).toBe("the inbox");
  });

  it("is not brought back by a backup from before it was ended", async () => {
    const visitor = new Visitor(product.url);
    await visitor.signIn({ email, password });
    const cookie = visitor.cookie(session) ?? "";
    const file = join(dataDir, "..", `${Date.now()}.tar.gz`);
    expect(await runCommand("backup", [file], dataDir)).toMatchObject({ code: 0 });
    await visitor.post("/logout", {});
    await product.stop();
    expect(await runCommand("restore", [file, "--replace"], dataDir)).toMatchObject({ code: 0 });
    await rm(file);
    await start();
    await expectSignedOut(cookie);
    expect(await open(await signIn())).toBe("the inbox");
  });
});

describe("npm run admin", () => {
  it("lists the accounts, with or without a running server", async () => {
    await signIn();
    const line =
      /^admin@firm\.example: admin since 20\d\d-\d\d-\d\d \d\d:\d\d UTC, last sign-in 20\d\d-\d\d-\d\d \d\d:\d\d UTC, \d sessions?$/;
    expect((await admin(["list"])).said).toMatch(line);
    await product.stop();
    expect((await admin(["list"])).said).toMatch(line);
    await start();
  });

  it("revokes the last admin only when told so; they stay revoked at the next sign-in, until it is granted again", async () => {
    const cookie = await signIn();
    const refused = await admin(["revoke", email]);
    expect(refused).toEqual({
      code: 1,
      said: expect.stringContaining("With --even-the-last it is done all the same."),
    });
    expect(await open(cookie)).toBe("the inbox");

    expect(await admin(["revoke", email, "--even-the-last"])).toMatchObject({ code: 0 });
    await expectSignedOut(cookie);
    expect((await admin(["list"])).said).toContain(`${email}: revoked`);
    expect(await open(await signIn())).toBe("303 /");

    expect(await admin(["grant", email.toUpperCase()])).toEqual({ code: 0, said: `${email} is an admin.` });
    expect(await open(await signIn())).toBe("the inbox");
  });

  it.each([
    [["set-password", email], "password1234\n", /^Nothing was changed\. It is one of the passwords that are guessed/],
    [["set-password", email], "too short\n", /^Nothing was changed\. Password should be at least 12 characters/],
    [["set-password", email], "", /^Nothing was changed: no password was given/],
    [["set-password", "nobody@firm.example"], "a phrase from the pipe\n", /^There is no account nobody@firm\.example/],
  ])("changes nothing by %j with %j, and says why", async (words, input, reason) => {
    const { code, said } = await admin(words, input);
    expect(said).toMatch(reason);
    expect(code).toBe(1);
    expect(await open(await signIn())).toBe("the inbox");
  });
});

describe("the generated password", () => {
  it("is called that in the admin area, to its owner, until it has been changed", async () => {
    const folder = await makeDataDir();
    const fresh = await startProduct({ ADMIN_PASSWORD: "" }, { dataDir: folder });
    try {
      const generated = /password ([a-z2-9]{20})/.exec(fresh.output())?.[1] ?? "";
      const owner = new Visitor(fresh.url);
      await owner.signIn({ email, password: generated });
      for (const page of ["/admin", "/admin/requests"]) {
        const text = readText((await owner.get(page)).html);
        expect(text).toContain("Change the initial password");
        expect(text).toContain(`run: npm run admin -- set-password ${email}`);
      }
      await runCommand("admin", ["set-password", email], folder, "a phrase from the pipe\n");
      await owner.signIn({ email, password: "a phrase from the pipe" });
      expect(readText((await owner.get("/admin")).html)).toMatch(/Admin Dashboard(?!.*Change the initial password)/);
    } finally {
      await fresh.stop();
    }
  });
});
