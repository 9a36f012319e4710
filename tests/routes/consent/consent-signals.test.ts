import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consentVersion } from "~/content/cookie-registry";
import { hashShownText } from "~/features/consent/record/consent-text.server";
import { formatDecision } from "~/lib/consent";
import { isEverything } from "../../support/everything";
import { publicPaths } from "../../support/page-source";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, readText } from "../../support/visitor";
import { requestRaw, isFromMemory } from "../support/raw-response";
import { choose, consentForm, hasBanner, readDecision, readSetCookies } from "../support/consent";

const note = "Your browser asks sites not to track you";
const signals: [string, Record<string, string>][] = [
  ["DNT: 1", { DNT: "1" }],
  ["Sec-GPC: 1", { "Sec-GPC": "1" }],
  ["both", { DNT: "1", "Sec-GPC": "1" }],
];
/** `npm test` tries one from memory and one that is rendered. */
const pages = isEverything ? publicPaths : ["/", "/contact"];
let product: RunningSite;
let visitor: Visitor;

beforeAll(async () => {
  product = await shareSite();
});
beforeEach(() => {
  visitor = new Visitor(product.url);
});
describe.each(signals)("a browser that sends %s", (_name, signal) => {
  it("sees no banner on any page, and a note in the footer while it sends the signal", async () => {
    for (const path of [...pages, "/login", "/no-such-page", "/about?cookie-preferences=open"]) {
      const one = new Visitor(product.url);
      for (let visit = 0; visit < 2; visit++) {
        const { html } = await one.get(path, signal);
        expect(hasBanner(html), path).toBe(false);
        expect(readText(html.slice(html.indexOf("<footer"))), path).toContain(note);
      }
      const { html } = await one.get(path);
      expect(hasBanner(html), path).toBe(false);
      expect(readText(html), path).not.toContain(note);
    }
  });

  it("gets one cookie without an id, the same as everyone with a signal on that day", async () => {
    const other = new Visitor(product.url);
    const [first] = [await visitor.get("/", signal), await other.get("/startups", signal)];
    expect(readSetCookies(first).map(({ name }) => name)).toEqual(["cookie-consent"]);
    const today = new Date().toISOString().slice(0, 10);
    const written = `v=${consentVersion}&a=0&m=0&by=signal&at=${today}T00:00:00.000Z&text=${hashShownText("signal", false)}`;
    for (const one of [visitor, other]) expect(one.cookie("cookie-consent")).toBe(`${written}&unsaved=1`);
    // Recorded when the cookie comes back, and only once.
    for (const one of [visitor, other]) {
      expect(readSetCookies(await one.get("/about", signal)).map(({ name }) => name)).toEqual(["cookie-consent"]);
      expect(one.cookie("cookie-consent")).toBe(written);
      for (const path of [...pages, "/no-such-page"]) {
        expect(readSetCookies(await one.get(path, signal)), path).toEqual([]);
      }
    }
  });

  it("does not override a decision made while it sends the signal", async () => {
    await visitor.get("/", signal);
    await visitor.post("/consent", consentForm("save", { analytics: "on" }), signal);
    const chosen = readDecision(visitor);
    expect(chosen).toMatchObject({ analytics: true, source: "dialog" });
    for (let visit = 0; visit < 2; visit++) {
      expect(readText((await visitor.get("/", signal)).html)).toContain(note);
      expect(readDecision(visitor)).toEqual(chosen);
    }
  });

  it("revokes consent to an older text in the same record and drops the record id", async () => {
    const recordId = "r".repeat(32);
    const decidedAt = "2026-01-01T00:00:00.000Z";
    const old = { version: "0.9", analytics: true, marketing: true, source: "dialog", decidedAt, recordId } as const;
    const rest = { textHash: "0".repeat(64), underGpc: false, isUnsaved: false };
    visitor.setCookie("cookie-consent", formatDecision({ ...old, ...rest }));
    visitor.setCookie("session-id", recordId);
    expect(hasBanner((await visitor.get("/", signal)).html)).toBe(false);
    expect(readDecision(visitor)).toMatchObject({
      analytics: false,
      source: "signal",
      recordId: null,
      isUnsaved: false,
      version: consentVersion,
    });
    expect(visitor.cookie("session-id")).toBeUndefined();
  });
});

describe("consent given before a signal", () => {
  it("ends with Global Privacy Control, and does not return without it", async () => {
    await choose(visitor, "accept");
    const { html } = await visitor.get("/about", { "Sec-GPC": "1" });
    expect(readText(html)).toContain(note);
    expect(hasBanner(html)).toBe(false);
    expect(readDecision(visitor)).toMatchObject({
      analytics: false,
      marketing: false,
      source: "signal",
      recordId: null,
    });
    expect(visitor.cookie("session-id")).toBeUndefined();
    await visitor.get("/about");
    expect(readDecision(visitor)).toMatchObject({ analytics: false, source: "signal" });
  });

  it("survives Do Not Track, and Global Privacy Control when the visitor decided under it", async () => {
    await choose(visitor, "accept");
    const chosen = readDecision(visitor);
    await visitor.get("/about", { DNT: "1" });
    expect(readDecision(visitor)).toEqual(chosen);

    const other = new Visitor(product.url);
    await other.post("/consent", consentForm("accept"), { "Sec-GPC": "1" });
    await other.get("/about", { "Sec-GPC": "1" });
    expect(readDecision(other)).toMatchObject({ analytics: true, source: "banner", underGpc: true });
  });

  it("is unaffected if it was a rejection: the visitor's own decision stays", async () => {
    await choose(visitor, "reject");
    const chosen = readDecision(visitor);
    expect(readText((await visitor.get("/about", { "Sec-GPC": "1" })).html)).toContain(note);
    expect(readDecision(visitor)).toEqual(chosen);
  });
});

it("shows the signal as such in the preferences", async () => {
  const { html } = await visitor.get("/about?cookie-preferences=open", { DNT: "1" });
  expect(readText(html)).toContain("We took your browser’s signal as your choice on");
  expect(readText(html)).toContain("analytics not allowed, marketing not allowed");
});

it("serves a first visit with a signal from memory, as without one", async () => {
  for (const signal of [{ DNT: "1" }, { "Sec-GPC": "1" }] as Record<string, string>[]) {
    await expect.poll(async () => isFromMemory(await requestRaw(`${product.url}/value`, signal))).toBe(true);
    const kept = await requestRaw(`${product.url}/value`, signal);
    expect(kept.headers.getSetCookie()).toHaveLength(1);
  }
});

it.each(["0", "unspecified"])("ignores signal headers with the value %s", async (value) => {
  const { html } = await visitor.get("/", { DNT: value, "Sec-GPC": value });
  expect(hasBanner(html)).toBe(true);
  expect(readText(html)).not.toContain(note);
  expect(visitor.cookie("cookie-consent")).toBeUndefined();
});

it("stores nothing for a HEAD request", async () => {
  const response = await fetch(product.url, { method: "HEAD", headers: { DNT: "1" } });
  expect(response.status).toBe(200);
  expect(response.headers.getSetCookie()).toEqual([]);
});

describe("many signals from one address", () => {
  let limited: TestSite;
  beforeAll(async () => {
    limited = await startSite({ POST_RATE_LIMIT: "2", TRUSTED_PROXIES: "1" });
  });
  afterAll(() => limited.stop());

  // Each test uses its own addresses, because limits count addresses.
  it("are all honored; records above the limit wait for the next visit", async () => {
    const client = { "X-Forwarded-For": "198.51.100.7", DNT: "1" };
    const visitors = [1, 2, 3, 4].map(() => new Visitor(limited.url));
    for (const one of visitors) expect(hasBanner((await one.get("/", client)).html)).toBe(false);
    for (const one of visitors) await one.get("/about", client);
    expect(visitors.map((one) => readDecision(one)?.isUnsaved)).toEqual([false, false, true, true]);
    const third = visitors[2]!;
    const later = { ...client, "X-Forwarded-For": "198.51.100.8" };
    expect(readText((await third.get("/about", later)).html)).toContain(note);
    expect(readDecision(third)).toMatchObject({ isUnsaved: false });
    expect(readSetCookies(await third.get("/", later))).toEqual([]);
  });

  it("cannot bypass the limit with forged unsaved cookies", async () => {
    const marks = [];
    for (let i = 0; i < 4; i++) {
      const one = new Visitor(limited.url);
      const recordId = String(i).repeat(32);
      const decidedAt = new Date().toISOString();
      const rest = { textHash: "0".repeat(64), underGpc: false, isUnsaved: true };
      const forged = { version: "1.0", analytics: true, marketing: true, source: "banner", decidedAt } as const;
      one.setCookie("cookie-consent", formatDecision({ ...forged, ...rest, recordId }));
      await one.get("/", { "X-Forwarded-For": "198.51.100.9" });
      marks.push(readDecision(one)?.isUnsaved);
    }
    expect(marks).toEqual([false, false, true, true]);
  });

  it("count separately from the posts of that address", async () => {
    const client = { "X-Forwarded-For": "198.51.100.10" };
    for (let i = 0; i < 3; i++) {
      const one = new Visitor(limited.url);
      for (let visit = 0; visit < 2; visit++) await one.get("/", { ...client, DNT: "1" });
    }
    const marks = [];
    for (let i = 0; i < 3; i++) {
      const one = new Visitor(limited.url);
      expect((await one.post("/consent", consentForm("reject"), client)).status).toBe(303);
      marks.push(readDecision(one)?.isUnsaved);
    }
    // Above the limit a decision still holds (REQUIREMENTS 4.7), and its record waits.
    expect(marks).toEqual([false, false, true]);
  });
});
