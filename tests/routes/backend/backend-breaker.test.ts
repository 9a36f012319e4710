import { afterEach, describe, expect, it } from "vitest";
import { type TestSite, type TestSiteOptions, startSite } from "../../support/site";
import { Visitor, filledContactForm } from "../../support/visitor";
import { type Answering, type StubProject, answerJson, hang, startStubProject } from "../support/stub-project";

let runningProduct: TestSite | undefined;
let runningProject: StubProject | undefined;

afterEach(async () => {
  await runningProduct?.stop();
  runningProject?.close();
  runningProduct = runningProject = undefined;
});

/** A busy machine may take longer for a call, and this backend responds. */
const slowBackend = { backendCall: 60_000, session: 60_000 };

/** Starts a site whose breaker stays open, unless its timeouts say otherwise. */
async function start(first: Answering, timeouts: TestSiteOptions["timeouts"] = {}) {
  const project = (runningProject = await startStubProject(first));
  const product = (runningProduct = await startSite(project.settings, {
    timeouts: { backendCall: 300, circuitReset: 600_000, ...timeouts },
  }));
  const visitor = new Visitor(product.url);
  const send = async () => (await visitor.post("/contact", filledContactForm)).status;
  /** Sends as many messages as open the breaker. */
  const sendFive = () => Promise.all(Array.from({ length: 5 }, send));
  return { project, product, visitor, send, sendFive };
}

/** Finds the log lines of one event. */
function linesOf(output: string, event: string) {
  return output.split("\n").filter((line) => line.includes(`"event":"${event}"`));
}

describe("a backend that hangs", () => {
  it("delays a few visitors by one call, and is then not called", async () => {
    const { project, product, send, sendFive, visitor } = await start(hang);
    expect(await sendFive()).toEqual(Array(5).fill(503));
    const calls = project.calls.length;
    for (let i = 0; i < 3; i++) expect(await send()).toBe(503);
    expect(project.calls).toHaveLength(calls);
    expect((await visitor.get("/")).status).toBe(200);

    const output = product.output();
    expect(linesOf(output, "backend.not-called")).toHaveLength(1);
    const [trouble, ...more] = linesOf(output, "backend.trouble");
    expect(more).toEqual([]);
    expect(trouble).toContain('"cause":"timeout"');
    expect(output).not.toContain(filledContactForm.email);
  });

  it("is called again after a while", async () => {
    const { project, product, send, sendFive } = await start(hang, { circuitReset: 100 });
    await sendFive();
    project.become(answerJson(200, { ok: true }));
    await expect.poll(send).toBe(303);
    expect(linesOf(product.output(), "backend.called-again")).toHaveLength(1);
  });

  it("leaves the calls to its other services enabled", async () => {
    const { project, send, sendFive, visitor } = await start(hang);
    project.become((call, response, request) =>
      call.path.startsWith("/functions/")
        ? hang(call, response, request)
        : answerJson(400, { error_code: "invalid_credentials", msg: "Invalid login credentials" })(
            call,
            response,
            request,
          ),
    );
    await sendFive();
    const calls = project.calls.length;
    expect(await send()).toBe(503);
    expect(project.calls).toHaveLength(calls);
    expect((await visitor.signIn()).status).toBe(401);
  });
});

it("keeps calling a backend that refuses calls, and logs the remedy once", async () => {
  const { project, product, send } = await start(answerJson(401, { message: "Invalid API key" }), slowBackend);
  for (let i = 0; i < 8; i++) expect(await send()).toBe(503);
  expect(project.calls.filter(({ path }) => path.startsWith("/functions/"))).toHaveLength(8);
  const [trouble, ...more] = linesOf(product.output(), "backend.trouble").filter((line) => line.includes("functions"));
  expect(more).toEqual([]);
  expect(trouble).toContain("SUPABASE_PUBLISHABLE_KEY");
});

it.each([
  ["paused", answerJson(540, { message: "Project is paused" }), "Restore it in the Supabase dashboard"],
  ["missing its functions", answerJson(404, { code: "NOT_FOUND" }), "supabase functions deploy"],
  [
    "missing altogether",
    ((_, response) => void response.end("<h1>For sale</h1>")) as Answering,
    "is not a Supabase project",
  ],
])("logs the remedy for a project that is %s", async (_name, handler, remedy) => {
  const { product, send } = await start(handler, slowBackend);
  expect(await send()).toBe(503);
  expect(linesOf(product.output(), "backend.trouble").join()).toContain(remedy);
});

it("logs a project name that no longer resolves", async () => {
  const product = (runningProduct = await startSite({
    SUPABASE_URL: "http://no-such-project.invalid",
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test",
    SESSION_SECRET: "a secret of at least 32 characters",
  }));
  expect((await new Visitor(product.url).post("/contact", filledContactForm)).status).toBe(503);
  expect(linesOf(product.output(), "backend.trouble").join()).toMatch(/has no address|accepts no connections/);
});

it("tries to read a page's data at most three times", async () => {
  const { project, visitor } = await start(
    (call, response, request) =>
      call.path.startsWith("/auth/")
        ? answerJson(200, { id: "5e1f7b5c-0c3e-4b8e-9d8c-1f2a3b4c5d6e", aud: "authenticated" })(call, response, request)
        : answerJson(503, { code: "PGRST002", message: "no schema cache" })(call, response, request),
    slowBackend,
  );
  const session = { access_token: "a.b.c", refresh_token: "refreshtoken", expires_at: 4e9, expires_in: 3600, user: {} };
  visitor.setCookie("admin-session", `base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`);
  expect((await visitor.get("/admin")).status).toBe(503);
  expect(project.calls.filter(({ path }) => path.startsWith("/rest/v1/rpc/admin_standing"))).toHaveLength(3);
});
