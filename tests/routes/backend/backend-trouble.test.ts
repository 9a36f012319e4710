import { beforeAll, describe, expect, it } from "vitest";
import { filledDataRightsForm } from "../../support/data-rights";
import { readTexts } from "../../support/page-source";
import type { TestSiteOptions } from "../../support/site";
import { testAdmin } from "../../support/test-admin";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { type Answering, answerJson, answerPage, hang, hangUp } from "../support/stub-project";
import { encodeSession, newClient, openProject, openSite, useProject, useSite } from "../support/world";

/** A form, and the words and values of its page while the backend is in trouble. */
interface Form {
  path: string;
  fields: Record<string, string>;
  words: string;
  kept: string[];
}

const linkNotSent = "The link was not sent Something went wrong on our side. Try again in a minute.";
const forms: Form[] = [
  {
    path: "/contact",
    fields: filledContactForm,
    words: "Error Failed to send message. Please try again or email us directly.",
    kept: [
      `value="${filledContactForm.name}"`,
      `value="${filledContactForm.email}"`,
      `value="${filledContactForm.goal}"`,
      "Can we talk?</textarea>",
      'checked=""',
    ],
  },
  {
    path: "/data-rights",
    fields: filledDataRightsForm,
    words: "Error Failed to submit your request. Please try again or contact us directly.",
    kept: [
      `value="${filledDataRightsForm.name}"`,
      `value="${filledDataRightsForm.email}"`,
      '<option value="access" selected="">',
      "And since when?</textarea>",
    ],
  },
  { path: "/network", fields: { email: "ada@fund.example" }, words: linkNotSent, kept: ['value="ada@fund.example"'] },
  {
    path: "/login/forgotten",
    fields: { email: testAdmin.email },
    words: linkNotSent,
    kept: [`value="${testAdmin.email}"`],
  },
  {
    path: "/login",
    fields: testAdmin,
    words: "An error occurred Failed to sign in",
    kept: [`value="${testAdmin.email}"`],
  },
];
const token = "T".repeat(43);

// One client, who may send each form once: an outage counts toward no limit.
const settings = { POST_RATE_LIMIT: "1", TRUSTED_PROXIES: "1" };
const person = newClient();
const project = useProject(hang);
// The circuit breaker resets at once: an open one would block the calls.
const timeouts = { backendCall: 300, session: 600, circuitReset: 1 };
const site = useSite(() => ({ ...project.settings, ...settings }), { timeouts });

/** Responds like a project with these functions, whose sign-in service knows no account. */
function respondAs(functions: Answering): Answering {
  const refusal = answerJson(400, { error_code: "invalid_credentials", msg: "Invalid login credentials" });
  return (call, ...rest) => (call.path.startsWith("/functions/") ? functions : refusal)(call, ...rest);
}

const countFunctionCalls = () => project.calls.filter(({ path }) => path.startsWith("/functions/")).length;

/** Sends a form. @returns the number of calls, and what the page lacks of the form's words and values */
async function fail({ path, fields, words, kept }: Form) {
  const before = countFunctionCalls();
  const { status, html } = await site.post(path, fields, person);
  const lacks = [words, ...kept].filter((part) => !html.includes(part) && !readText(html).includes(part));
  return { status, lacks, calls: countFunctionCalls() - before };
}

describe.each<[string, number, () => unknown]>([
  ["hangs", 1, () => project.become(hang)],
  ["hangs up", 1, () => project.become(hangUp)],
  ["responds with 500", 1, () => project.become(answerJson(500, {}))],
  ["responds with 503 and a page", 1, () => project.become(answerPage(503, "<h1>paused</h1>"))],
  ["responds with 200 and an empty object", 1, () => project.become(answerJson(200, {}))],
  ["responds with 200 and nonsense", 1, () => project.become(answerPage(200, "<h1>parked</h1>"))],
  ["refuses connections", 0, () => project.close()],
])("a backend that %s", (_name, calls, become) => {
  beforeAll(async () => void (await become()));

  it.each(forms)("delays a visitor of $path by one call and keeps the text", async (form) => {
    // No function signs in.
    expect(await fail(form)).toEqual({ status: 503, lacks: [], calls: form.path === "/login" ? 0 : calls });
  });

  it.each(["/data-rights/confirm", "/data-rights/status"])("does not blame the link to %s", async (path) => {
    const link = `${path}?token=${token}`;
    for (const answer of [await site.get(link, newClient()), await site.post(path, { token }, newClient())]) {
      expect([answer.status, readTexts(answer.html, "h1")]).toEqual([503, ["We can’t look this up right now"]]);
      expect(answer.headers.get("cache-control")).toBe("no-store, no-transform");
      expect(answer.headers.get("x-robots-tag")).toBe("noindex");
    }
  });

  it("leaves other pages unaffected", async () => {
    for (const path of ["/", "/privacy-policy", "/contact", "/data-rights", "/login"])
      expect([path, (await site.get(path)).status]).toEqual([path, 200]);
  });
});

it("counts failed attempts toward no limit, so that each can be repeated once the backend responds", async () => {
  const stub = await openProject(answerJson(503, {}));
  const { url } = await openSite({ ...stub.settings, ...settings }, { timeouts: { circuitReset: 1 } });
  const send = ({ path, fields }: Form) => new Visitor(url).post(path, fields, person).then(({ status }) => status);
  for (const form of forms)
    for (let i = 0; i < 6; i += 1) expect([form.path, await send(form)]).toEqual([form.path, 503]);
  stub.become(respondAs(answerJson(200, { ok: true })));
  const statuses = [];
  for (const form of forms) statuses.push(await send(form));
  expect(statuses).toEqual([303, 303, 303, 303, 401]);
});

it("keeps an admin's session while the backend is down, with an error message", async () => {
  const refreshed: number[] = [];
  const stub = await openProject((call, response, request) => {
    if (call.path.includes("grant_type=refresh_token")) refreshed.push(Date.now());
    answerJson(503, {})(call, response, request);
  });
  const { url } = await openSite(stub.settings, { timeouts: { session: 2_800 } });
  const admin = new Visitor(url);
  admin.setCookie("admin-session", encodeSession());
  const { status, html } = await admin.get("/admin");
  expect(status).toBe(503);
  expect(readText(html)).toContain("Error Failed to load admin dashboard");
  expect(admin.cookie("admin-session")).toBeDefined();
  // The retry of a token refresh waits 200 ms and doubles (REQUIREMENTS 7.2). The fifth would come after 3,000 ms.
  const pauses = refreshed.slice(1).map((at, i) => at - (refreshed[i] ?? at));
  expect(pauses).toHaveLength(3);
  for (const [i, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(200 * 2 ** i - 20);

  expect((await admin.post("/logout", {})).status).toBe(303);
  expect(admin.cookie("admin-session")).toBeUndefined();
});

/** Starts a site whose breaker stays open, unless its timeouts say otherwise. */
async function startWithBreaker(first: Answering, changes: TestSiteOptions["timeouts"] = {}) {
  const stub = await openProject(first);
  const { url, output } = await openSite(stub.settings, {
    timeouts: { backendCall: 300, circuitReset: 600_000, ...changes },
  });
  const visitor = new Visitor(url);
  const send = async () => (await visitor.post("/contact", filledContactForm)).status;
  /** Finds the log lines of one event. */
  const linesOf = (event: string) =>
    output()
      .split("\n")
      .filter((line) => line.includes(`"event":"${event}"`));
  return { stub, visitor, send, linesOf };
}

it("the circuit breaker opens for one service that hangs, is logged once, and leaves calls to the others enabled", async () => {
  const { stub, visitor, send, linesOf } = await startWithBreaker(respondAs(hang));
  expect(await Promise.all(Array.from({ length: 5 }, send))).toEqual(Array(5).fill(503));
  const calls = stub.calls.length;
  for (let i = 0; i < 3; i += 1) expect(await send()).toBe(503);
  expect(stub.calls).toHaveLength(calls);
  expect((await visitor.signIn()).status).toBe(401);
  expect(linesOf("backend.not-called")).toHaveLength(1);
  expect(linesOf("backend.trouble")).toEqual([expect.stringContaining('"cause":"timeout"')]);
});

it("the circuit breaker allows a call again after a while", async () => {
  const { stub, send, linesOf } = await startWithBreaker(hang, { circuitReset: 100 });
  await Promise.all(Array.from({ length: 5 }, send));
  stub.become(answerJson(200, { ok: true }));
  await expect.poll(send).toBe(303);
  expect(linesOf("backend.called-again")).toHaveLength(1);
});

it("the circuit breaker stays closed for a backend that refuses calls, and logs the remedy once", async () => {
  // A busy machine may take longer for a call, and this backend responds.
  const slowBackend = { backendCall: 60_000, session: 60_000 };
  const { stub, send, linesOf } = await startWithBreaker(answerJson(401, { message: "Invalid API key" }), slowBackend);
  for (let i = 0; i < 8; i += 1) expect(await send()).toBe(503);
  expect(stub.calls.filter(({ path }) => path.startsWith("/functions/"))).toHaveLength(8);
  const lines = linesOf("backend.trouble").filter((line) => line.includes("functions"));
  expect(lines).toEqual([expect.stringContaining("SUPABASE_PUBLISHABLE_KEY")]);
});
