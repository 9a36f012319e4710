import { beforeEach, describe, expect, it } from "vitest";
import { consentVersion } from "~/content/cookie-registry";
import { hashShownText } from "~/features/consent/record/consent-text.server";
import type { ConsentDecision } from "~/lib/consent";
import { Visitor, noticeOf } from "../../support/visitor";
import { consentForm, hasBanner, readDecision, readSetCookies } from "../support/consent";
import { type ConsentBackend, quotedTrouble, startConsentBackend } from "../support/consent-backend";
import { isFromMemory } from "../support/raw-response";
import { openSite } from "../support/world";

const userAgent = "Mozilla/5.0 (Unsaved) Test/1.0";
/** Long timeouts, so that a page waits for its record even on a slow machine. */
const timeouts = { backendCall: 15_000, consentRecord: 15_000 };
let backend: ConsentBackend;
let site: Awaited<ReturnType<typeof openSite>>;
let visitor: Visitor;

beforeEach(async () => {
  backend = await startConsentBackend();
  site = await openSite(backend.settings, { timeouts });
  visitor = new Visitor(site.url);
  return async () => {
    await site.stop();
    await backend.close();
  };
});

const choose = (choice: string, changes: Record<string, string> = {}) =>
  visitor.post("/consent", consentForm(choice, changes), { "User-Agent": userAgent });
const get = (path: string, headers: Record<string, string> = {}) =>
  visitor.get(path, { "User-Agent": userAgent, ...headers });

/** Records what is sent to a backend that is there again. @returns the calls of that time */
async function recover(work: () => Promise<unknown>) {
  const before = backend.calls.length;
  backend.become("there");
  await work();
  return backend.calls.slice(before);
}

describe("a decision that could not be recorded", () => {
  it("holds, is logged without personal data, and is recorded by the next page with its original time", async () => {
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

    expect(
      await recover(async () => {
        expect(readSetCookies(await get("/about")).map(({ name }) => name)).toEqual(["cookie-consent"]);
      }),
    ).toEqual([callOf(decision)]);
    expect(readDecision(visitor)).toEqual({ ...decision, isUnsaved: false });
    // Afterwards there is nothing left to record.
    expect(await recover(async () => expect(readSetCookies(await get("/value"))).toEqual([]))).toEqual([]);
  });

  it("is recorded on the next visit by a new process without any memory of it", async () => {
    await choose("save", { marketing: "on" });
    const decision = readDecision(visitor)!;
    await site.stop();
    const next = await openSite(backend.settings, { timeouts });
    const later = new Visitor(next.url);
    later.setCookie("cookie-consent", visitor.cookie("cookie-consent") ?? "");
    const calls = await recover(() => later.get("/startups", { "User-Agent": "Later/2.0" }));
    expect(calls).toEqual([{ ...callOf(decision), user_agent: "Later/2.0" }]);
    expect(readDecision(later)).toEqual({ ...decision, isUnsaved: false });
  });

  it("is recorded before the decision that replaces it", async () => {
    await choose("accept");
    const accepted = readDecision(visitor)!;
    const calls = await recover(() => choose("reject"));
    const rejected = readDecision(visitor)!;
    expect(calls).toEqual([accepted, rejected].map(callOf));
    expect(rejected).toMatchObject({ recordId: accepted.recordId, isUnsaved: false });
  });

  it("is dropped when another replaces it during the outage; only that one is recorded", async () => {
    await choose("accept");
    await choose("reject");
    const last = readDecision(visitor)!;
    expect(last).toMatchObject({ analytics: false, isUnsaved: true });
    expect(await recover(() => get("/about"))).toEqual([callOf(last)]);
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
    expect(await recover(() => get("/about"))).toEqual([]);
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
    for (const state of ["away", "there"] as const) {
      backend.become(state);
      expect([state, (await get("/about")).html === html]).toEqual([state, true]);
      expect(readDecision(visitor)).toMatchObject({ isUnsaved: state === "away" });
    }
  });
});

it("retries a signal with the next page, and keeps no record id in the cookie", async () => {
  const signal = { "Sec-GPC": "1" };
  await get("/", signal);
  expect(backend.calls).toEqual([]);
  await get("/about", signal);
  const [first] = backend.calls;
  expect(first).toMatchObject({ analytics: false, source: "signal", user_agent: null });
  expect(readDecision(visitor)).toMatchObject({ recordId: null, isUnsaved: true });
  const [second, ...more] = await recover(() => get("/value", signal));
  expect(more).toEqual([]);
  expect(second?.session_id).not.toBe(first?.session_id);
  expect(readDecision(visitor)).toMatchObject({ recordId: null, isUnsaved: false });
});

it("does not delay pages while the backend hangs", async () => {
  backend.become("silent");
  // A page that waited for its call would not come within the test's time.
  const hurried = await openSite(backend.settings, { timeouts: { consentRecord: 50, backendCall: 600_000 } });
  const other = new Visitor(hurried.url);
  await other.get("/");
  await other.get("/", { DNT: "1" });
  expect(readDecision(other)).toMatchObject({ source: "signal", isUnsaved: true });
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
