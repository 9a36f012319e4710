import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { consentVersion } from "~/content/cookie-registry";
import { hashShownText } from "~/features/consent/record/consent-text.server";
import type { ConsentDecision } from "~/lib/consent";
import { startSite, type TestSite } from "../../support/site";
import { Visitor } from "../../support/visitor";
import { consentForm, hasBanner, readDecision, readSetCookies } from "../support/consent";
import { type ConsentBackend, quotedTrouble, startConsentBackend } from "../support/consent-backend";

const userAgent = "Mozilla/5.0 (Unsaved) Test/1.0";
/** A page waits for its record however slow the machine is, where nothing is asked of how long it waits. */
const timeouts = { backendCall: 15_000, consentRecord: 15_000, consentRetry: 500 };
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

describe("a choice that cannot be recorded", () => {
  it("stands; the log names a code and nobody; and it is recorded as soon as the backend is back", async () => {
    expect((await choose("accept")).status).toBe(303);
    const decision = readDecision(visitor)!;
    const textHash = hashShownText("banner", false);
    expect(decision).toMatchObject({ analytics: true, marketing: true, textHash, isUnsaved: true });
    expect(visitor.cookie("session-id")).toBe(decision.recordId);
    expect(hasBanner((await get("/")).html)).toBe(false);
    expect(readDecision(visitor)).toEqual(decision);

    const tried = backend.calls.length;
    backend.become("there");
    // By itself, without another visit: it is tried again and again.
    await waitForCalls(tried + 1);
    expect(backend.calls.at(-1)).toEqual(callOf(decision));
    // The browser learns of it with its next page, and then there is nothing left to say.
    await vi.waitFor(async () => {
      await get("/about");
      expect(readDecision(visitor)).toEqual({ ...decision, isUnsaved: false });
    }, 15_000);
    expect(readSetCookies(await get("/value"))).toEqual([]);
    expectQuietLog(decision);
    expect(readProblems()).toContainEqual({ event: "consent.unsaved", error: "FunctionsHttpError", status: 503 });
  });

  it("is recorded on the next visit, by a process that knows nothing of it", async () => {
    await choose("save", { marketing: "on" });
    const decision = readDecision(visitor)!;
    await product.stop();
    const tried = backend.calls.length;
    backend.become("there");
    product = await startSite(backend.settings, { timeouts });
    const later = new Visitor(product.url);
    later.setCookie("cookie-consent", visitor.cookie("cookie-consent") ?? "");
    await later.get("/startups", { "User-Agent": "Later/2.0" });
    expect(readDecision(later)).toEqual({ ...decision, isUnsaved: false });
    // Nor does the site that was closed try again.
    await wait(timeouts.consentRetry);
    expect(backend.calls.slice(tried)).toEqual([{ ...callOf(decision), user_agent: "Later/2.0" }]);
  });

  it("and those after it are recorded in the order in which they were made", async () => {
    const decisions: ConsentDecision[] = [];
    for (const changes of [{}, { analytics: "on" }, { marketing: "on" }] as Record<string, string>[]) {
      await choose("save", changes);
      decisions.push(readDecision(visitor)!);
    }
    const tried = backend.calls.length;
    backend.become("there");
    await waitForCalls(tried + 3);
    expect(backend.calls.slice(tried)).toEqual(decisions.map(callOf));
    expect(new Set(decisions.map(({ recordId }) => recordId)).size).toBe(1);
  });

  it("holds up none of those after it when the database refuses it for good", async () => {
    await choose("accept");
    const refused = readDecision(visitor)!;
    visitor = new Visitor(product.url);
    await choose("reject");
    const other = readDecision(visitor)!;
    const tried = backend.calls.length;
    backend.refuse(refused.recordId!);
    await waitForCalls(tried + 2);
    await wait(3 * timeouts.consentRetry);
    expect(backend.calls.slice(tried)).toEqual([refused, other].map(callOf));
  });
});

it("a signal is not tried again by the process, whose next page brings it again, without a number in between", async () => {
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

describe("a backend that says nothing", () => {
  it("does not hold up a page with a signal or an unsaved choice, and a choice no longer than any form", async () => {
    backend.become("silent");
    await product.stop();
    product = await startSite(backend.settings);
    visitor = new Visitor(product.url);
    await get("/");
    const fast = await measure(() => get("/", { DNT: "1" }));
    expect(fast).toBeLessThan(1_000);
    expect(readDecision(visitor)).toMatchObject({ source: "signal", isUnsaved: true });
    expect(await measure(() => get("/about"))).toBeLessThan(1_000);
    expect(await measure(() => choose("reject"))).toBeLessThan(4_000);
    expect(readDecision(visitor)).toMatchObject({ source: "banner", isUnsaved: true });
  });

  it("is not tried again by a site that was closed while it waited for the first answer", async () => {
    const short = { ...timeouts, consentRecord: 50, backendCall: 1_000, consentRetry: 50 };
    await choose("reject");
    await product.stop();
    backend.become("silent");
    product = await startSite(backend.settings, { timeouts: short });
    const tried = backend.calls.length;
    const later = new Visitor(product.url);
    later.setCookie("cookie-consent", visitor.cookie("cookie-consent") ?? "");
    await later.get("/about", { "User-Agent": userAgent });
    await vi.waitFor(() => expect(backend.calls).toHaveLength(tried + 1), 15_000);
    await product.stop();
    backend.become("there");
    await wait(short.backendCall + 20 * short.consentRetry);
    expect(backend.calls).toHaveLength(tried + 1);
  });
});

it("a backend that hangs up costs nobody their choice, nor is anybody named in the log", async () => {
  backend.become("hanging up");
  expect((await choose("reject")).status).toBe(303);
  expect(readDecision(visitor)).toMatchObject({ analytics: false, isUnsaved: true });
  expectQuietLog(readDecision(visitor)!);
  expect(readProblems().length).toBeGreaterThan(0);
});

/** The call that records this decision, exactly: no more is sent. */
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

async function waitForCalls(count: number): Promise<void> {
  await vi.waitFor(() => expect(backend.calls).toHaveLength(count), { timeout: 15_000, interval: 100 });
}

/** What was logged as an error, without the time and the frames of a stack. */
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

async function measure(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
