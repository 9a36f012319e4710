import { afterEach, expect, it } from "vitest";
import { signToken } from "../../database/support/postgres/json-web-token";
import { startProxy } from "../../support/stack/proxy";
import { type TestSite, startSite } from "../../support/site";
import { testAdmin } from "../../support/test-admin";
import { Visitor, leadsTo } from "../../support/visitor";
import { choose } from "../support/consent";
import { type Answering, type StubProject, answerJson, startStubProject } from "../support/stub-project";

let running: TestSite | undefined;
let services: StubProject | undefined;
let gateway: { url: string; close(): void } | undefined;

afterEach(async () => {
  await running?.stop();
  gateway?.close();
  await services?.close();
});

const user = { id: "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", aud: "authenticated", email: testAdmin.email };

/** Responds like a project's sign-in service and database, with this standing of the account. */
function respondAs(standing: string, more: Answering = answerJson(200, [])): Answering {
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
    return more(call, ...rest);
  };
}

/** Starts a site whose gateway serves sign-in and database and returns an empty 200 for all other paths. */
async function startWithoutFunctions(standing: string) {
  services = await startStubProject(respondAs(standing));
  const origin = String(services.settings.SUPABASE_URL);
  const isService = /^\/(?:auth|rest)\/v1\//;
  gateway = await startProxy(0, ({ url = "" }) => (isService.test(url) ? [{ origin }] : []), "empty-200");
  const site = (running = await startSite({ ...services.settings, SUPABASE_URL: gateway.url }));
  const admin = new Visitor(site.url);
  expect(leadsTo(await admin.post("/login", testAdmin))).toBe("/admin");
  return { site, admin };
}

it("does not use up a recovery code when the gateway lacks the function, and logs the cause", async () => {
  const { site, admin } = await startWithoutFunctions("challenge");
  const answer = await admin.post("/login/second-factor", { intent: "recovery", code: "12345-67890" });
  expect(answer.status).toBe(503);
  expect(answer.html.includes("You are signed in")).toBe(false);
  expect(site.output()).toContain('"event":"second-factor.broken"');
  expect(site.output()).toMatch(/"event":"backend\.trouble","service":"functions","cause":"empty-answer","status":200/);
});

it("shows an admin without a role yet that the dashboard failed, not that access is denied", async () => {
  const { site, admin } = await startWithoutFunctions("none");
  const answer = await admin.get("/admin");
  expect(answer.status).toBe(503);
  expect(answer.html.includes("Failed to load admin dashboard")).toBe(true);
  expect(answer.html.includes("Access denied")).toBe(false);
  expect(site.output()).toContain('"event":"login.bootstrap-admin-failed"');
});

it("treats a cookie decision as recorded only after the function's own response", async () => {
  services = await startStubProject((call, ...rest) => {
    if (call.path.endsWith("/record-consent")) return void rest[0].writeHead(200).end();
    return answerJson(200, [])(call, ...rest);
  });
  const site = (running = await startSite(services.settings));
  expect((await choose(new Visitor(site.url), "accept")).status).toBeLessThan(400);
  await expect.poll(() => site.output()).toContain('"event":"consent.unsaved"');
});

it.each([
  ["an outage", 503, "none", 503, "Failed to load admin dashboard"],
  ["a refusal", 403, "none", 303, "Access denied"],
  ["success without a role", 200, "none", 503, "Failed to load admin dashboard"],
])(
  "shows an admin the truth after %s of bootstrap-admin (%i)",
  async (_name, bootstrapStatus, standing, status, words) => {
    services = await startStubProject(
      respondAs(standing, (call, ...rest) =>
        answerJson(
          call.path.endsWith("/bootstrap-admin") ? bootstrapStatus : 200,
          bootstrapStatus === 200 ? { ok: true } : {},
        )(call, ...rest),
      ),
    );
    const site = (running = await startSite(services.settings));
    const admin = new Visitor(site.url);
    await admin.post("/login", testAdmin);
    const answer = await admin.get("/admin");
    expect(answer.status).toBe(status);
    const page = status === 303 ? await admin.get(String(answer.headers.get("location"))) : answer;
    expect(page.html.includes(words)).toBe(true);
  },
);

it("grants the role at the next page view after bootstrap-admin has recovered", async () => {
  const project = (services = await startStubProject(
    respondAs("none", (call, ...rest) =>
      answerJson(call.path.endsWith("/bootstrap-admin") ? 503 : 200, {})(call, ...rest),
    ),
  ));
  const site = (running = await startSite(services.settings));
  const admin = new Visitor(site.url);
  await admin.post("/login", testAdmin);
  expect((await admin.get("/admin")).status).toBe(503);
  let isGranted = false;
  project.become((call, ...rest) => {
    isGranted ||= call.path.endsWith("/bootstrap-admin");
    respondAs(isGranted ? "challenge" : "none", answerJson(200, { ok: true }))(call, ...rest);
  });
  const answer = await admin.get("/admin");
  expect([answer.status, leadsTo(answer)]).toEqual([303, "/login/second-factor"]);
});
