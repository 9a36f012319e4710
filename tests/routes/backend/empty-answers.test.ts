import { expect, it, onTestFinished } from "vitest";
import { signToken } from "../../database/support/postgres/json-web-token";
import { startProxy } from "../../support/stack/proxy";
import { testAdmin } from "../../support/test-admin";
import { Visitor, leadsTo } from "../../support/visitor";
import { type Answering, answerJson } from "../support/stub-project";
import { openProject, openSite } from "../support/world";

const user = { id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", aud: "authenticated", email: testAdmin.email };

/** Responds like a project, with this standing of the account and this response of bootstrap-admin. */
function respondAs(standing: string, bootstrap: Answering = answerJson(200, [])): Answering {
  const session = {
    access_token: signToken({ sub: user.id }, "nobody checks it here"),
    token_type: "bearer",
    expires_in: 3600,
    refresh_token: "refresh-token",
  };
  return (call, ...rest) => {
    if (/\/token\b/.test(call.path)) return answerJson(200, { ...session, user })(call, ...rest);
    if (call.path.endsWith("/user")) return answerJson(200, user)(call, ...rest);
    if (/\/rpc\/admin_standing/.test(call.path)) return answerJson(200, standing)(call, ...rest);
    return (call.path.endsWith("/bootstrap-admin") ? bootstrap : answerJson(200, []))(call, ...rest);
  };
}

/** Starts a site on a project and signs in. */
async function start(settings: Record<string, string>) {
  const site = await openSite(settings);
  const admin = new Visitor(site.url);
  expect(leadsTo(await admin.post("/login", testAdmin))).toBe("/admin");
  return { site, admin };
}

it("does not use up a recovery code when the gateway lacks the function, and logs the cause", async () => {
  const project = await openProject(respondAs("challenge"));
  const origin = String(project.settings.SUPABASE_URL);
  const isService = /^\/(?:auth|rest)\/v1\//;
  const gateway = await startProxy(0, ({ url = "" }) => (isService.test(url) ? [{ origin }] : []), "empty-200");
  onTestFinished(() => gateway.close());
  const { site, admin } = await start({ ...project.settings, SUPABASE_URL: gateway.url });
  const answer = await admin.post("/login/second-factor", { intent: "recovery", code: "12345-67890" });
  expect([answer.status, answer.html.includes("You are signed in")]).toEqual([503, false]);
  expect(site.output()).toContain('"event":"second-factor.broken"');
  expect(site.output()).toMatch(/"event":"backend\.trouble","service":"functions","cause":"empty-answer","status":200/);
});

it.each<[string, Answering, number, string]>([
  ["a refusal", answerJson(403, {}), 303, "Access denied"],
  ["success without a role", answerJson(200, { ok: true }), 503, "Failed to load admin dashboard"],
])("shows an admin the truth after %s of bootstrap-admin", async (_name, bootstrap, status, words) => {
  const project = await openProject(respondAs("none", bootstrap));
  const { admin } = await start(project.settings);
  const answer = await admin.get("/admin");
  expect(answer.status).toBe(status);
  const page = status === 303 ? await admin.get(String(answer.headers.get("location"))) : answer;
  expect(page.html).toContain(words);
});

it("grants the role at the next page view after bootstrap-admin has recovered", async () => {
  const project = await openProject(respondAs("none", answerJson(503, {})));
  const { admin } = await start(project.settings);
  expect((await admin.get("/admin")).status).toBe(503);
  let isGranted = false;
  project.become((call, ...rest) => {
    isGranted ||= call.path.endsWith("/bootstrap-admin");
    respondAs(isGranted ? "challenge" : "none", answerJson(200, { ok: true }))(call, ...rest);
  });
  const answer = await admin.get("/admin");
  expect([answer.status, leadsTo(answer)]).toEqual([303, "/login/second-factor"]);
});
