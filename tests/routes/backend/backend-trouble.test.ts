import { afterEach, describe, expect, it } from "vitest";
import { findFreePort } from "../../support/free-port";
import { type TestSite, startSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import {
  type Answering,
  type StubProject,
  answerJson,
  answerPage,
  hang,
  hangUp,
  startStubProject,
} from "../support/stub-project";

/** Failures of a Supabase project, produced by a real server. */
const troubles: [string, Answering | null][] = [
  ["refuses connections", null],
  ["hangs", hang],
  ["hangs up", hangUp],
  ["responds with 500", answerJson(500, {})],
  ["responds with 503 and a page", answerPage(503, "<h1>paused</h1>")],
  ["responds with 200 and nonsense", answerPage(200, "<h1>parked</h1>")],
];

let product: TestSite | undefined;
let stub: StubProject | undefined;

afterEach(async () => {
  await product?.stop();
  await stub?.close();
  product = stub = undefined;
});

describe.each(troubles)("a backend that %s", (_name, handler) => {
  it("delays a visitor by one call, keeps their text, and leaves other pages unaffected", async () => {
    stub = await startStubProject(handler ?? hang);
    const settings = { ...stub.settings };
    if (handler === null) settings.SUPABASE_URL = `http://127.0.0.1:${await findFreePort()}`;
    product = await startSite(settings, { timeouts: { backendCall: 300, session: 600 } });
    const visitor = new Visitor(product.url);
    const { status, html } = await visitor.post("/contact", filledContactForm);
    expect(status).toBe(503);
    expect(stub.calls.length).toBe(handler === null ? 0 : 1);
    const text = readText(html);
    expect(text).toContain("Error Failed to send message. Please try again or email us directly.");
    for (const value of [filledContactForm.name, filledContactForm.email, filledContactForm.goal]) {
      expect(html).toContain(`value="${value}"`);
    }
    expect(html).toContain("Can we talk?</textarea>");
    expect(html).toMatch(/<input[^>]*name="privacyConsent"[^>]*checked=""/);

    for (const path of ["/", "/privacy-policy", "/contact", "/login"]) {
      expect((await visitor.get(path)).status).toBe(200);
    }
    const signIn = await visitor.signIn();
    expect(signIn.status).toBe(503);
    expect(readText(signIn.html)).toContain("An error occurred Failed to sign in");
    expect(product.output()).not.toContain(filledContactForm.email);
    expect(product.output()).not.toContain("nine clinics");
  });
});

it("keeps an admin's session while the backend is down, with an error message", async () => {
  const refreshed: number[] = [];
  stub = await startStubProject((call, response, request) => {
    if (call.path.includes("grant_type=refresh_token")) refreshed.push(Date.now());
    answerJson(503, {})(call, response, request);
  });
  product = await startSite(stub.settings, { timeouts: { session: 2_800 } });
  const admin = new Visitor(product.url);
  const session = {
    access_token: "a.b.c",
    refresh_token: "refreshtoken",
    expires_at: 1,
    expires_in: 3600,
    token_type: "bearer",
    user: {},
  };
  admin.setCookie("admin-session", `base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`);
  const { status, html } = await admin.get("/admin");
  expect(status).toBe(503);
  expect(readText(html)).toContain("Error Failed to load admin dashboard");
  expect(admin.cookie("admin-session")).toBeDefined();
  // The retry of a token refresh waits 200 ms and doubles (REQUIREMENTS 7.2). The fifth would come after 3,000 ms.
  const pauses = refreshed.slice(1).map((at, i) => at - (refreshed[i] ?? at));
  expect(pauses).toHaveLength(3);
  for (const [i, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(200 * 2 ** i - 20);

  const loggedOut = await admin.post("/logout", {});
  expect(loggedOut.status).toBe(303);
  expect(admin.cookie("admin-session")).toBeUndefined();
});
