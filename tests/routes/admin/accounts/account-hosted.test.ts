import { describe, expect, it } from "vitest";
import { startSite, testAdmin } from "../../../support/site";
import { Visitor, leadsTo, readText } from "../../../support/visitor";
import { answerJson, startStubProject } from "../../support/stub-project";

describe("changing the password on a hosted project", () => {
  const user = {
    id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
    aud: "authenticated",
    email: testAdmin.email,
    app_metadata: {},
    user_metadata: {},
  };

  /**
   * Changes the password against a stub of Supabase Auth and PostgREST.
   * @param answer response to PUT /user, with `status`
   */
  async function change(newPassword: string, status: number, answer: object) {
    const session = {
      access_token: newToken(),
      token_type: "bearer",
      expires_in: 3600,
      refresh_token: "refresh-token",
      user,
    };
    const project = await startStubProject((call, response, request) => {
      const reply = (code: number, body: unknown) => answerJson(code, body)(call, response, request);
      if (call.path.startsWith("/auth/v1/token")) reply(200, session);
      else if (call.path.startsWith("/auth/v1/user"))
        reply(call.method === "PUT" ? status : 200, call.method === "PUT" ? answer : user);
      else if (call.path.startsWith("/rest/v1/rpc/admin_standing")) reply(200, "admin");
      else if (call.path.endsWith("/own_account"))
        reply(200, { email: testAdmin.email, name: "", signature: "", sessions: [], events: [] });
      else reply(200, {});
    });
    const site = await startSite(project.settings);
    try {
      const admin = new Visitor(site.url);
      await admin.post("/login", testAdmin, { "User-Agent": "Browser/1" });
      // Supabase Auth stores the user agent with the session.
      const signedIn = project.calls.find(({ path }) => path.startsWith("/auth/v1/token"));
      expect(signedIn?.headers["user-agent"]).toBe("Browser/1");
      project.calls.length = 0;
      const form = {
        intent: "change-password",
        currentPassword: testAdmin.password,
        newPassword,
        repeatedPassword: newPassword,
      };
      return {
        answer: await admin.post("/admin/account", form),
        calls: project.calls.map(({ method, path }) => `${method} ${path}`),
      };
    } finally {
      await site.stop();
      await project.close();
    }
  }

  it("refuses a common password itself, because the project has no list of them", async () => {
    const { answer, calls } = await change("Password1234!", 200, user);
    expect(answer.status).toBe(400);
    expect(readText(answer.html)).toContain("guessed first");
    expect(calls).not.toContain("PUT /auth/v1/user");
  });

  it("checks the current password in a temporary session and changes it in the admin's own", async () => {
    const { answer, calls } = await change("a new test passphrase", 200, user);
    expect(leadsTo(answer)).toBe("/admin/account");
    const made = calls.filter((call) => /auth.*(?:token|logout)|PUT/.test(call));
    expect(made).toEqual([
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
    const { answer } = await change("a new test passphrase", status, { code: status, error_code, msg });
    expect(answer.status).toBe(shown);
    expect(readText(answer.html)).toContain(text);
  });
});

/** Makes a token in the authentication service's format. The site does not verify its signature here. */
function newToken(): string {
  return `${encode({ alg: "HS256" })}.${encode({ sub: "u", exp: Math.floor(Date.now() / 1000) + 3600 })}.c2lnbmF0dXJl`;
}

function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
