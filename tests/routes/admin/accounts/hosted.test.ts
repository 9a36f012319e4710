import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { describe, expect, it } from "vitest";
import { testAdmin } from "../../../support/site";
import { Visitor, leadsTo, readText } from "../../../support/visitor";
import { type StubProject, answerJson } from "../../support/stub-project";
import { openProject, openSite } from "../../support/world";
import { expectDone, expectPage } from "../support/pages";

const user = {
  id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
  aud: "authenticated",
  email: testAdmin.email,
  app_metadata: {},
  user_metadata: {},
};
const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const signedInAt = (hours: number) => ({ amr: [{ method: "password", timestamp: secondsFromNow(-hours * 3_600) }] });
const session = (claims = {}) => ({
  // The site does not verify the signature of a hosted project's token here.
  access_token: `${encode({ alg: "HS256" })}.${encode({ sub: "u", exp: secondsFromNow(3600), ...claims })}.c2lnbmF0dXJl`,
  token_type: "bearer",
  expires_in: 3600,
  refresh_token: "refresh-token",
  user,
});

let project: StubProject;
let site: Awaited<ReturnType<typeof openSite>>;

type Response = [call: string, status: number, body: unknown];
let responses: Response[];

/** Starts a site on a project with one admin, whose calls succeed. @param given calls that get another response */
async function start(...given: Response[]): Promise<Visitor> {
  const own = { email: testAdmin.email, name: "", signature: "", sessions: [], events: [] };
  responses = [
    ...given,
    ["POST /auth/v1/token", 200, session(signedInAt(0))],
    ["/auth/v1/user", 200, user],
    ["/rest/v1/rpc/admin_standing", 200, "admin"],
    ["/rest/v1/rpc/own_account", 200, own],
  ];
  project = await openProject((call, ...rest) => {
    const made = `${call.method} ${call.path}`;
    const [, status, body] = responses.find(([path]) => made.includes(path)) ?? ["", 200, {}];
    answerJson(status, body)(call, ...rest);
  });
  site = await openSite(project.settings);
  return new Visitor(site.url);
}

/** Does the same, and signs the admin in. */
async function startSignedIn(...given: Response[]): Promise<Visitor> {
  const admin = await start(...given);
  await admin.signIn();
  return admin;
}

describe("signing in on a hosted project", () => {
  it.each<[call: string, status: number, body: object, logged: string[]]>([
    ["bootstrap-admin", 503, { error: "e" }, ['"login.bootstrap-admin-failed"']],
    ["bootstrap-admin", 403, { error: "e" }, []],
    ["record_sign_in", 404, { code: "PGRST202", message: "-" }, ['"login.not-noted","code":"PGRST202"']],
  ])("succeeds although %s fails with %i", async (call, status, body, logged) => {
    expect(leadsTo(await (await start([call, status, body])).signIn())).toBe("/admin");
    expect(project.calls.some(({ path }) => path.endsWith(call))).toBe(true);
    expect(site.output().match(/"login\.[\w-]+"(?:,"code":"\w+")?/g) ?? []).toEqual(logged);
  });

  it("passes on the browser's name, which Supabase Auth stores with the session", async () => {
    await (await start()).post("/login", testAdmin, { "User-Agent": "Browser/1" });
    const signedIn = project.calls.find(({ path }) => path.startsWith("/auth/v1/token"));
    expect(signedIn?.headers["user-agent"]).toBe("Browser/1");
  });
});

const newPassword = "a new test passphrase";
const newPasswordForm = {
  intent: "change-password",
  currentPassword: testAdmin.password,
  newPassword,
  repeatedPassword: newPassword,
};

describe("a hosted project that has too many calls", () => {
  it.each<[string, string, Record<string, string>]>([
    ["/login", "Login failed Too many attempts.", testAdmin],
    ["/admin/confirm?next=/admin", "Too many attempts.", { password: testAdmin.password }],
    ["/admin/account", "Too many attempts.", newPasswordForm],
  ])("makes %s wait, and calls no password wrong", async (page, text, form) => {
    const admin = await startSignedIn();
    responses.unshift(["POST /auth/v1/token", 429, { code: "over_request_rate_limit" }]);
    const answer = await admin.post(page, form);
    expectPage(answer, 429, text);
    expect(answer.headers.get("retry-after")).toBe("60");
    expect(site.output()).not.toContain('"result":"wrong"');
  });
});

const wentWrong = "Something went wrong";

const ownFactor = "/admin/account/second-factor";

describe("a hosted project that breaks", () => {
  const token = newSecretToken();
  const link = `/login/password?token=${token}`;
  const chosen = { token, password: newPassword, repeated: newPassword };
  const noCheck = "We can’t check that right now";
  const named = { intent: "save-name", name: "Ada" };
  it.each<[call: string, page: string, fields: Record<string, string>, text: string, event: string]>([
    ["POST /auth/v1/token", "/login", testAdmin, "An error occurred Failed to sign in", "login.broken"],
    ["POST /auth/v1/token", "/admin/confirm?next=/admin", { password: newPassword }, noCheck, "login.broken"],
    ["PUT /auth/v1/user", "/admin/account", newPasswordForm, wentWrong, "account.password-not-changed"],
    ["POST /auth/v1/factors", ownFactor, { intent: "begin" }, "That didn’t work", "second-factor.broken"],
    ["/rpc/begin_factor_removal", ownFactor, { intent: "off" }, "That didn’t work", "second-factor.broken"],
    ["/rpc/create_recovery", ownFactor, { intent: "renew" }, "That didn’t work", "second-factor.no-recovery-codes"],
    ["/rpc/admin_standing", "/admin/account", named, "not responding", "admin.unavailable"],
    ["/functions/v1/account-links", link, chosen, "Open your link again", "account.link-not-redeemed"],
    ["/rpc/save_own_name", "/admin/account", named, wentWrong, "admin.call-failed"],
  ])("at %s makes %s say so to %j, and logs the cause", async (call, page, fields, text, event) => {
    const admin = await startSignedIn();
    responses.unshift([call, 500, { code: "XX000", message: "-" }]);
    expectPage(await admin.post(page, fields), 503, text);
    await expect.poll(() => site.output()).toContain(`"event":"${event}"`);
  });
});

describe("the session of a hosted project", () => {
  it("ends with ADMIN_SESSION_HOURS after the sign-in, however often it was renewed", async () => {
    const admin = await startSignedIn(["POST /auth/v1/token", 200, session(signedInAt(23))]);
    expect((await admin.get("/admin/account")).status).toBe(200);
    responses.unshift(["POST /auth/v1/token", 200, session(signedInAt(25))]);
    await admin.signIn();
    const before = project.calls.length;
    expectDone(await admin.get("/admin/account"), "/login", "loginRequired");
    expect(admin.cookie("admin-session")).toBeUndefined();
    expect(project.calls.slice(before).some(({ path }) => path.startsWith("/auth/v1/logout"))).toBe(true);
  });

  it.each([429, 503])(
    "may go on after a logout to which the project responds %i, and the page says so",
    async (status) => {
      const admin = await startSignedIn(["POST /auth/v1/logout", status, {}]);
      const answer = await admin.post("/logout", {});
      expectDone(answer, "/login", "loggedOutHere");
      expect(readText((await admin.follow(answer)).html)).toContain("Logged out in this browser only");
      await expect.poll(() => site.output()).toContain('"event":"logout.incomplete"');
    },
  );
});

async function enter(visitor: Visitor, code: string) {
  await visitor.signIn();
  return visitor.post("/login/second-factor", { intent: "code", code });
}

describe("an app's code on a hosted project", () => {
  it("works once, although the project would accept it again", async () => {
    const factor = { id: "f", factor_type: "totp", status: "verified", created_at: "2026-11-20T10:00:00Z" };
    const withFactor = { ...user, factors: [factor] };
    const amr = ["password", "totp"].map((method) => ({ method, timestamp: secondsFromNow(0) }));
    const signedIn = { ...session({ amr }), user: withFactor };
    const owner = await start(
      ["POST /rest/v1/rpc/create_recovery_codes", 200, []],
      ["/auth/v1/user", 200, withFactor],
      ["POST /auth/v1/token", 200, signedIn],
      ["/challenge", 200, { id: "c", type: "totp", expires_at: secondsFromNow(300) }],
      ["/verify", 200, signedIn],
      ["admin_standing", 200, "challenge"],
      ["record_wrong_code", 404, { code: "PGRST202", message: "-" }],
    );
    const thief = new Visitor(site.url);
    expect(leadsTo(await enter(owner, "123456"))).toBe("/admin");
    expect((await enter(thief, "123456")).status).toBe(401);
    await expect.poll(() => site.output()).toContain('"second-factor.wrong-code-not-noted","code":"PGRST202"');
    expect(leadsTo(await enter(owner, "654321"))).toBe("/admin");
    responses.unshift(["admin_standing", 200, "admin"]);
    const scanned = { intent: "finish", factorId: user.id, uri: "otpauth://totp/x?secret=JBSWY3DPEHPK3PXP" };
    const finish = (code: string) => owner.post(ownFactor, { ...scanned, code });
    expect((await finish("123456")).status).toBe(401);
    expect((await finish("111111")).status).toBe(200);
    responses.unshift(
      ["create_recovery_codes", 500, { code: "XX000", message: "-" }],
      ["count_recovery_codes", 200, 10],
    );
    const uncoded = await finish("222222");
    expectDone(uncoded, ownFactor, "recoveryCodesMissing");
    expectPage(await owner.follow(uncoded), 200, "Recovery codes are missing", "You have 10 recovery codes left.");
  });
});

/** Changes the password. @returns the response, and the calls that it took */
async function change(...given: Response[]) {
  const admin = await startSignedIn(...given);
  project.calls.length = 0;
  const answer = await admin.post("/admin/account", newPasswordForm);
  return { answer, calls: project.calls.map(({ method, path }) => `${method} ${path}`) };
}

describe("changing the password on a hosted project", () => {
  it("checks the current password in a temporary session and changes it in the admin's own", async () => {
    const { answer, calls } = await change();
    expectDone(answer, "/admin/account", "passwordChanged");
    expect(calls.filter((call) => /auth.*(?:token|logout)|PUT/.test(call))).toEqual([
      "POST /auth/v1/token?grant_type=password",
      "POST /auth/v1/logout?scope=local",
      "PUT /auth/v1/user",
    ]);
    await expect.poll(() => site.output()).toContain('"event":"account.password-changed"');
  });

  it("changes it although the temporary session goes on, and logs that", async () => {
    const { answer } = await change(["POST /auth/v1/logout", 503, {}]);
    expectDone(answer, "/admin/account", "passwordChanged");
    await expect.poll(() => site.output()).toContain('"event":"account.check-not-ended"');
  });

  it.each([
    [422, "weak_password", "Password is known to be weak", 400, "Password is known to be weak"],
    [401, "reauthentication_needed", "Password update requires reauthentication", 403, "Log out, sign in again"],
  ])("explains the refusal %i %s", async (status, error_code, msg, shown, text) => {
    const { answer } = await change(["PUT /auth/v1/user", status, { code: status, error_code, msg }]);
    expect([answer.status, readText(answer.html)]).toEqual([shown, expect.stringContaining(text)]);
  });
});
