import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { consentVersion } from "~/content/cookie-registry";
import { hashShownText } from "~/features/consent/record/consent-text.server";
import type { ConsentDecision } from "~/lib/consent";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, noticeOf } from "../../support/visitor";
import { consentForm, hasBanner, readDecision, readSetCookies } from "../support/consent";
import { type ConsentBackend, quotedTrouble, startConsentBackend } from "../support/consent-backend";
import { isFromMemory } from "../support/raw-response";

const userAgent = "Mozilla/5.0 (Unsaved) Test/1.0";
/**
 * Long timeouts, so that a page waits for its record even on a slow machine. Tests of the waiting time use
 * production's.
 */
const timeouts = { backendCall: 15_000, consentRecord: 15_000 };
let backend: ConsentBackend;
let product: TestSite;
let visitor: Visitor;

beforeEach(async () => {
  backend = await startConsentBackend();
  product = await startSite(backend.settings, { timeouts });
  visitor = new Visitor(product.url);
});
afterEach(async () => {
  await product.stop();
  backend.close();
});

const choose = (choice: string, changes: Record<string, string> = {}) =>
  visitor.post("/consent", consentForm(choice, changes), { "User-Agent": userAgent });
const get = (path: string, headers: Record<string, string> = {}) =>
  visitor.get(path, { "User-Agent": userAgent, ...headers });

describe("a decision that could not be recorded", () => {
  it("holds, is logged without personal data, and is recorded by the next page with its original time", async () => {
    expect((await choose("accept")).status).toBe(303);
    const decision = readDecision(visitor)!;
    const textHash = hashShownText("banner", false);
    expect(decision).toMatchObject({ analytics: true, marketing: true, textHash, isUnsaved: true });
    expect(visitor.cookie("session-id")).toBe(decision.recordId);
    expect(hasBanner((await get("/")).html)).toBe(false);
    expect(readDecision(visitor)).toEqual(decision);
    expectQuietLog(decision);
    expect(readProblems()).toContainEqual({ event: "consent.unsaved", error: "FunctionsHttpError", status: 503 });

    backend.become("there");
    const recorded = await get("/about");
    expect(backend.calls.at(-1)).toEqual(callOf(decision));
    expect(readSetCookies(recorded).map(({ name }) => name)).toEqual(["cookie-consent"]);
    expect(readDecision(visitor)).toEqual({ ...decision, isUnsaved: false });
    // Afterwards there is nothing left to record.
    const callCount = backend.calls.length;
    expect(readSetCookies(await get("/value"))).toEqual([]);
    expect(backend.calls).toHaveLength(callCount);
  });

  it("is recorded on the next visit by a new process without any memory of it", async () => {
    await choose("save", { marketing: "on" });
    const decision = readDecision(visitor)!;
    await product.stop();
    const callCount = backend.calls.length;
    backend.become("there");
    product = await startSite(backend.settings, { timeouts });
    const later = new Visitor(product.url);
    later.setCookie("cookie-consent", visitor.cookie("cookie-consent") ?? "");
    await later.get("/startups", { "User-Agent": "Later/2.0" });
    expect(readDecision(later)).toEqual({ ...decision, isUnsaved: false });
    expect(backend.calls.slice(callCount)).toEqual([{ ...callOf(decision), user_agent: "Later/2.0" }]);
  });

  it("is recorded before the decision that replaces it", async () => {
    await choose("accept");
    const accepted = readDecision(visitor)!;
    backend.become("there");
    const callCount = backend.calls.length;
    await choose("reject");
    const rejected = readDecision(visitor)!;
    expect(backend.calls.slice(callCount)).toEqual([accepted, rejected].map(callOf));
    expect(rejected).toMatchObject({ recordId: accepted.recordId, isUnsaved: false });
  });

  it("is dropped when another replaces it during the outage; only that one is recorded", async () => {
    await choose("accept");
    await choose("reject");
    const last = readDecision(visitor)!;
    expect(last).toMatchObject({ analytics: false, isUnsaved: true });
    const callCount = backend.calls.length;
    backend.become("there");
    await get("/about");
    expect(backend.calls.slice(callCount)).toEqual([callOf(last)]);
  });

  it("is dropped when the database rejects it permanently", async () => {
    await choose("accept");
    const refused = readDecision(visitor)!;
    backend.refuse(refused.recordId!);
    await get("/about");
    expect(readDecision(visitor)).toEqual({ ...refused, isUnsaved: false });
  });

  it("is never recorded after the visitor has deleted the record", async () => {
    await choose("accept");
    backend.become("there");
    const erased = await visitor.post("/consent", consentForm("erase", { text: "" }));
    expect(noticeOf(erased)).toBe("consentErased");
    const callCount = backend.calls.length;
    for (const path of ["/", "/about", "/cookie-policy"]) await get(path);
    expect(backend.calls).toHaveLength(callCount);
  });

  it("leaves pages unchanged during and after the outage", async () => {
    await choose("reject");
    const other = new Visitor(product.url);
    other.setCookie("cookie-consent", (visitor.cookie("cookie-consent") ?? "").replace("&unsaved=1", ""));
    await expect.poll(async () => isFromMemory(await other.get("/about"))).toBe(true);
    const { html } = await other.get("/about");
    for (const state of ["away", "there"] as const) {
      backend.become(state);
      const page = await get("/about");
      expect(page.html === html, state).toBe(true);
      expect(readDecision(visitor)).toMatchObject({ isUnsaved: state === "away" });
    }
  });
});

it("records nothing for a prefetch or a HEAD request", async () => {
  await choose("reject");
  backend.become("there");
  const callCount = backend.calls.length;
  await get("/about", { "Sec-Purpose": "prefetch" });
  await fetch(`${product.url}/about`, {
    method: "HEAD",
    headers: { Cookie: `cookie-consent=${visitor.cookie("cookie-consent")}` },
  });
  expect(backend.calls).toHaveLength(callCount);
  expect(readDecision(visitor)).toMatchObject({ isUnsaved: true });
});

it("retries a signal with the next page, and keeps no record id in the cookie", async () => {
  const signal = { "Sec-GPC": "1" };
  await get("/", signal);
  expect(backend.calls).toEqual([]);
  await get("/about", signal);
  const [first] = backend.calls;
  expect(first).toMatchObject({ analytics: false, source: "signal", user_agent: null });
  expect(readDecision(visitor)).toMatchObject({ recordId: null, isUnsaved: true });
  backend.become("there");
  await get("/value", signal);
  expect(backend.calls).toHaveLength(2);
  expect(backend.calls[1]?.session_id).not.toBe(first?.session_id);
  expect(readDecision(visitor)).toMatchObject({ recordId: null, isUnsaved: false });
});

it("does not delay pages while the backend hangs", async () => {
  backend.become("silent");
  await product.stop();
  // A page that waited for its call would not come within the test's time.
  product = await startSite(backend.settings, { timeouts: { consentRecord: 50, backendCall: 600_000 } });
  visitor = new Visitor(product.url);
  await get("/");
  await get("/", { DNT: "1" });
  expect(readDecision(visitor)).toMatchObject({ source: "signal", isUnsaved: true });
  await get("/about");
});

it("delays decisions by one call while the backend hangs", async () => {
  backend.become("silent");
  await product.stop();
  product = await startSite(backend.settings, { timeouts: { backendCall: 200 } });
  visitor = new Visitor(product.url);
  await choose("reject");
  expect(readDecision(visitor)).toMatchObject({ source: "banner", isUnsaved: true });
  expect((await choose("accept")).status).toBe(303);
});

it("keeps the decision and a log without personal data when the backend hangs up", async () => {
  backend.become("hanging up");
  expect((await choose("reject")).status).toBe(303);
  expect(readDecision(visitor)).toMatchObject({ analytics: false, isUnsaved: true });
  expectQuietLog(readDecision(visitor)!);
  expect(readProblems().length).toBeGreaterThan(0);
});

/** Returns the exact call that records this decision, without any additional field. */
function callOf(decision: ConsentDecision) {
  return {
    session_id: decision.recordId,
    analytics: decision.analytics,
    marketing: decision.marketing,
    consent_version: consentVersion,
    text_hash: decision.textHash,
    source: decision.source,
    user_agent: userAgent,
    decided_at: decision.decidedAt,
  };
}

/** Reads the logged errors without times and stack frames. */
function readProblems(): Record<string, unknown>[] {
  const lines = product
    .output()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));
  return lines.map((line) => {
    const { time: _time, level: _level, at: _at, ...rest } = JSON.parse(line) as Record<string, unknown>;
    return rest;
  });
}

function expectQuietLog({ recordId }: ConsentDecision): void {
  for (const trace of [recordId ?? "", userAgent, "Unsaved", quotedTrouble, hashShownText("banner", false)]) {
    expect(product.output()).not.toContain(trace);
  }
}
