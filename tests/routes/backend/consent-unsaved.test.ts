import { beforeEach, describe, expect, it } from "vitest";
import { hashShownText } from "~/features/consent/record/consent-text.server";
import { Visitor } from "../../support/visitor";
import { callOf, consentForm, hasBanner, readDecision, readRecords, readSetCookies } from "../support/consent";
import { isFromMemory } from "../support/raw-response";
import { answerJson, hang } from "../support/stub-project";
import { openSite, useProject, useSite } from "../support/world";

const userAgent = "Mozilla/5.0 (Unsaved) Test/1.0";
/** Text of an error that quotes its input, as database errors do. */
const quotedTrouble = "trouble with the visitor's own words";
const away = answerJson(503, { error: "unavailable", message: quotedTrouble });
const there = answerJson(200, { ok: true });
/** Long timeouts, so that a page waits for its record even on a slow machine. The circuit breaker resets at once. */
const timeouts = { backendCall: 15_000, consentRecord: 15_000, circuitReset: 1 };
const project = useProject(away);
const site = useSite(() => project.settings, { timeouts });
let visitor: Visitor;

beforeEach(() => {
  project.become(away);
  project.calls.length = 0;
  visitor = site.visitor();
});

const choose = (choice: string, changes: Record<string, string> = {}) =>
  visitor.post("/consent", consentForm(choice, changes), { "User-Agent": userAgent });
const get = (path: string, headers: Record<string, string> = {}) =>
  visitor.get(path, { "User-Agent": userAgent, ...headers });

/** Records what is sent to a project that is there again. @returns the calls of that time */
async function recover(work: () => Promise<unknown>) {
  project.calls.length = 0;
  project.become(there);
  await work();
  return readRecords(project);
}

describe("a decision that could not be recorded", () => {
  it("holds, is logged without personal data, and is recorded once by another process with its original time", async () => {
    expect((await choose("accept")).status).toBe(303);
    const decision = readDecision(visitor)!;
    const textHash = hashShownText("banner", false);
    expect(decision).toMatchObject({ analytics: true, marketing: true, textHash, isUnsaved: true });
    expect(visitor.cookie("session-id")).toBe(decision.recordId);
    expect(hasBanner((await get("/")).html)).toBe(false);
    expect(readDecision(visitor)).toEqual(decision);
    for (const trace of [decision.recordId ?? "", userAgent, quotedTrouble, textHash])
      expect(site.output()).not.toContain(trace);
    expect(site.output()).toMatch(/"event":"consent\.unsaved","error":"FunctionsHttpError","status":503/);

    const next = await openSite(project.settings, { timeouts });
    const later = new Visitor(next.url);
    later.setCookie("cookie-consent", visitor.cookie("cookie-consent") ?? "");
    const visit = async () => readSetCookies(await later.get("/startups", { "User-Agent": "Later/2.0" }));
    const calls = await recover(async () => expect(await visit()).toMatchObject([{ name: "cookie-consent" }]));
    expect(calls).toEqual([callOf(decision, "Later/2.0")]);
    expect(readDecision(later)).toEqual({ ...decision, isUnsaved: false });
    expect(await recover(async () => expect(await visit()).toEqual([]))).toEqual([]);
  });

  it("is dropped when another replaces it during the outage, and recorded before a later replacement", async () => {
    await choose("accept");
    await choose("reject");
    const rejected = readDecision(visitor)!;
    expect(rejected).toMatchObject({ analytics: false, isUnsaved: true });
    const calls = await recover(() => choose("save", { marketing: "on" }));
    const last = readDecision(visitor)!;
    expect(calls).toEqual([rejected, last].map((decision) => callOf(decision, userAgent)));
    expect(last).toMatchObject({ recordId: rejected.recordId, isUnsaved: false });
  });

  it("is not recorded by a prefetch or a HEAD request", async () => {
    await choose("reject");
    const headers = { Cookie: `cookie-consent=${visitor.cookie("cookie-consent")}` };
    const calls = await recover(async () => {
      await get("/about", { "Sec-Purpose": "prefetch" });
      await fetch(`${site.url}/about`, { method: "HEAD", headers });
    });
    expect(calls).toEqual([]);
    expect(readDecision(visitor)).toMatchObject({ isUnsaved: true });
  });

  it("leaves pages unchanged during and after the outage", async () => {
    await choose("reject");
    const other = new Visitor(site.url);
    other.setCookie("cookie-consent", (visitor.cookie("cookie-consent") ?? "").replace("&unsaved=1", ""));
    await expect.poll(async () => isFromMemory(await other.get("/about"))).toBe(true);
    const { html } = await other.get("/about");
    for (const state of [away, there]) {
      project.become(state);
      expect((await get("/about")).html === html).toBe(true);
      expect(readDecision(visitor)).toMatchObject({ isUnsaved: state === away });
    }
  });
});

it("retries a signal with the next page, and keeps no record id in the cookie", async () => {
  const signal = { "Sec-GPC": "1" };
  await get("/", signal);
  expect(readRecords(project)).toEqual([]);
  await get("/about", signal);
  const [first] = readRecords(project);
  expect(first).toMatchObject({ analytics: false, source: "signal", user_agent: null });
  expect(readDecision(visitor)).toMatchObject({ recordId: null, isUnsaved: true });
  const [second, ...more] = await recover(() => get("/value", signal));
  expect(more).toEqual([]);
  expect(second?.session_id).not.toBe(first?.session_id);
  expect(readDecision(visitor)).toMatchObject({ recordId: null, isUnsaved: false });
});

it("does not delay pages while the backend hangs", async () => {
  project.become(hang);
  // A page that waited for its call would not come within the test's time.
  const hurried = await openSite(project.settings, { timeouts: { consentRecord: 50, backendCall: 600_000 } });
  const other = new Visitor(hurried.url);
  await other.get("/");
  await other.get("/", { DNT: "1" });
  expect(readDecision(other)).toMatchObject({ source: "signal", isUnsaved: true });
});
