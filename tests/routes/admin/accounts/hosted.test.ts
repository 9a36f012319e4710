import { afterEach, describe, expect, it } from "vitest";
import { startSite, testAdmin, type TestSite } from "../../../support/site";
import { Visitor, leadsTo, readText } from "../../../support/visitor";
import { type StubProject, answerJson, startStubProject } from "../../support/stub-project";
import { expectDone, expectPage } from "../support/pages";

const user = {
  id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
  aud: "authenticated",
  email: testAdmin.email,
  app_metadata: {},
  user_metadata: {},
};
const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString("base64url");
const session = () => ({
  // The site does not verify the signature of a hosted project's token here.
  access_token: `${encode({ alg: "HS256" })}.${encode({ sub: "u", exp: Math.floor(Date.now() / 1000) + 3600 })}.c2lnbmF0dXJl`,
  token_type: "bearer",
  expires_in: 3600,
  refresh_token: "refresh-token",
  user,
});

let project: StubProject;
let site: TestSite;

/** Starts a site on a project with one admin, whose calls succeed. @param refused a call that gets another response */
async function start(refused?: { call: string; status: number; body: object }): Promise<void> {
  const own = { email: testAdmin.email, name: "", signature: "", sessions: [], events: [] };
  const responses: [call: string, status: number, body: unknown][] = [
    ...(refused ? [[refused.call, refused.status, refused.body] as [string, number, unknown]] : []),
    ["POST /auth/v1/token", 200, session()],
    ["POST /functions/v1/bootstrap-admin", 200, {}],
    ["/auth/v1/user", 200, user],
    ["/rest/v1/rpc/admin_standing", 200, "admin"],
    ["/rest/v1/rpc/own_account", 200, own],
  ];
  project = await startStubProject((call, response, request) => {
    const made = `${call.method} ${call.path}`;
    const [, status, body] = responses.find(([path]) => made.includes(path)) ?? ["", 200, {}];
    answerJson(status, body)(call, response, request);
  });
  site = await startSite(project.settings);
}

afterEach(async () => {
  await site.stop();
  await project.close();
});

describe("signing in on a hosted project", () => {
  it.each<[call: string, status: number, body: object, logged: object[]]>([
    ["bootstrap-admin", 503, { error: "e" }, [{ event: "login.bootstrap-admin-failed" }]],
    ["bootstrap-admin", 403, { error: "e" }, []],
    ["record_sign_in", 404, { code: "PGRST202", message: "-" }, [{ event: "login.not-noted", code: "PGRST202" }]],
  ])("succeeds although %s fails with %i", async (call, status, body, logged) => {
    await start({ call, status, body });
    expect(leadsTo(await new Visitor(site.url).signIn())).toBe("/admin");
    expect(project.calls.some(({ path }) => path.endsWith(call))).toBe(true);
    const lines = site
      .output()
      .split("\n")
      .filter((line) => line.includes('"event":"login.'));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject(logged);
  });

  it("passes on the browser's name, which Supabase Auth stores with the session", async () => {
    await start();
    await new Visitor(site.url).post("/login", testAdmin, { "User-Agent": "Browser/1" });
    const signedIn = project.calls.find(({ path }) => path.startsWith("/auth/v1/token"));
    expect(signedIn?.headers["user-agent"]).toBe("Browser/1");
  });
});

/** Changes the password. @returns the response, and the calls that it took */
async function change(newPassword: string) {
  const admin = new Visitor(site.url);
  await admin.signIn();
  project.calls.length = 0;
  const currentPassword = testAdmin.password;
  const form = { intent: "change-password", currentPassword, newPassword, repeatedPassword: newPassword };
  const answer = await admin.post("/admin/account", form);
  return { answer, calls: project.calls.map(({ method, path }) => `${method} ${path}`) };
}

describe("changing the password on a hosted project", () => {
  it("refuses a common password itself, because the project has no list of them", async () => {
    await start();
    const { answer, calls } = await change("Password1234!");
    expectPage(answer, 400, "guessed first");
    expect(calls).not.toContain("PUT /auth/v1/user");
  });

  it("checks the current password in a temporary session and changes it in the admin's own", async () => {
    await start();
    const { answer, calls } = await change("a new test passphrase");
    expectDone(answer, "/admin/account", "passwordChanged");
    expect(calls.filter((call) => /auth.*(?:token|logout)|PUT/.test(call))).toEqual([
      "POST /auth/v1/token?grant_type=password",
      "POST /auth/v1/logout?scope=local",
      "PUT /auth/v1/user",
    ]);
  });

  it.each([
    [422, "weak_password", "Password is known to be weak", 400, "Password is known to be weak"],
    [401, "reauthentication_needed", "Password update requires reauthentication", 403, "Log out, sign in again"],
    [500, "unexpected_failure", "database is away", 503, "Something went wrong."],
  ])("explains the refusal %i %s", async (status, error_code, msg, shown, text) => {
    await start({ call: "PUT /auth/v1/user", status, body: { code: status, error_code, msg } });
    const { answer } = await change("a new test passphrase");
    expect([answer.status, readText(answer.html)]).toEqual([shown, expect.stringContaining(text)]);
  });
});
