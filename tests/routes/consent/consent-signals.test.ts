import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consentVersion } from "~/content/facts";
import { hashShownText } from "~/features/consent/record/consent-text.server";
import { formatDecision } from "~/lib/consent";
import { publicPaths } from "../../support/page-source";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, readText } from "../../support/visitor";
import { choose, consentForm, hasBanner, readDecision, readSetCookies } from "../support/consent";

const note = "Your browser asks sites not to track you.";
const signals: [string, Record<string, string>][] = [
  ["DNT: 1", { DNT: "1" }],
  ["Sec-GPC: 1", { "Sec-GPC": "1" }],
  ["both", { DNT: "1", "Sec-GPC": "1" }],
];
let product: TestSite;
let visitor: Visitor;

beforeAll(async () => {
  product = await startSite();
});
beforeEach(() => {
  visitor = new Visitor(product.url);
});
afterAll(async () => {
  await product.stop();
});

describe.each(signals)("a browser that says %s", (_name, signal) => {
  it("is not asked on any page; a note in the footer says why, on the first page and on later ones", async () => {
    for (const path of [...publicPaths, "/login", "/no-such-page"]) {
      const { html } = await new Visitor(product.url).get(path, signal);
      expect(hasBanner(html), path).toBe(false);
      expect(readText(html.slice(html.indexOf("<footer"))), path).toContain(note);
    }
    await visitor.get("/", signal);
    const { html } = await visitor.get("/about", signal);
    expect(hasBanner(html)).toBe(false);
    expect(readText(html.slice(html.indexOf("<footer")))).toContain(note);
  });

  it("has that stored as a refusal, once", async () => {
    const first = await visitor.get("/", signal);
    expect(first.headers.get("cache-control")).toBe("no-store");
    const decision = readDecision(visitor);
    const refusal = { analytics: false, marketing: false, source: "signal", version: consentVersion };
    expect(decision).toMatchObject({ ...refusal, unsavedTextHash: null });
    expect(visitor.cookie("session-id")).toBe(decision?.recordId);
    expect(readSetCookies(await visitor.get("/about", signal))).toEqual([]);
    expect(readDecision(visitor)).toEqual(decision);
  });

  it("says nothing over what its owner chose, before or after", async () => {
    await choose(visitor, "accept");
    const chosen = readDecision(visitor);
    const { html } = await visitor.get("/", signal);
    expect(readDecision(visitor)).toEqual(chosen);
    expect(readText(html)).not.toContain(note);

    const other = new Visitor(product.url);
    await other.get("/", signal);
    const { recordId } = readDecision(other) ?? {};
    await other.post("/consent", consentForm("save", { analytics: "on" }), signal);
    expect(readDecision(other)).toMatchObject({ analytics: true, source: "dialog", recordId });
    expect(readText((await other.get("/", signal)).html)).not.toContain(note);
  });

  it("refuses what was allowed under an older version of the words, in the same record", async () => {
    const recordId = "r".repeat(32);
    const decidedAt = "2026-01-01T00:00:00.000Z";
    const old = { version: "0.9", analytics: true, marketing: true, source: "dialog", decidedAt, recordId } as const;
    visitor.setCookie("cookie-consent", formatDecision({ ...old, unsavedTextHash: null }));
    expect(hasBanner((await visitor.get("/", signal)).html)).toBe(false);
    expect(readDecision(visitor)).toMatchObject({
      analytics: false,
      source: "signal",
      recordId,
      version: consentVersion,
    });
  });
});

it("shows the signal in the preferences as what it is", async () => {
  const { html } = await visitor.get("/about?cookie-preferences=open", { DNT: "1" });
  expect(readText(html)).toContain("Your browser’s signal was taken as your choice on");
  expect(readText(html)).toContain("analytics not allowed, marketing not allowed");
});

it("stays when the signal is gone: it was stored as a choice", async () => {
  await visitor.get("/", { "Sec-GPC": "1" });
  const { html } = await visitor.get("/about");
  expect(hasBanner(html)).toBe(false);
  expect(readText(html)).toContain(note);
});

it.each(["0", "null", "unspecified"])("is no signal that says %s", async (value) => {
  const { html } = await visitor.get("/", { DNT: value, "Sec-GPC": value });
  expect(hasBanner(html)).toBe(true);
  expect(readText(html)).not.toContain(note);
  expect(visitor.cookie("cookie-consent")).toBeUndefined();
});

it("stores nothing for who asks for the headers of a page only", async () => {
  const response = await fetch(product.url, { method: "HEAD", headers: { DNT: "1" } });
  expect(response.status).toBe(200);
  expect(response.headers.getSetCookie()).toEqual([]);
});

describe("many signals from one address", () => {
  it("are honored all the same; the records above the limit wait for the next visit", async () => {
    const limited = await startSite({ POST_RATE_LIMIT: "2", TRUSTED_PROXIES: "1" });
    try {
      const client = { "X-Forwarded-For": "198.51.100.7", DNT: "1" };
      const visitors = [1, 2, 3, 4].map(() => new Visitor(limited.url));
      for (const one of visitors) expect(hasBanner((await one.get("/", client)).html)).toBe(false);
      const marks = visitors.map((one) => readDecision(one)?.unsavedTextHash ?? null);
      const unsaved = hashShownText("signal");
      expect(marks).toEqual([null, null, unsaved, unsaved]);
      const third = visitors[2]!;
      expect(third.cookie("session-id")).toBe(readDecision(third)?.recordId);

      const { recordId, decidedAt } = readDecision(third)!;
      const later = { ...client, "X-Forwarded-For": "198.51.100.8" };
      expect(readText((await third.get("/about", later)).html)).toContain(note);
      expect(readDecision(third)).toMatchObject({ recordId, decidedAt, unsavedTextHash: null });
      expect(readSetCookies(await third.get("/", later))).toEqual([]);
    } finally {
      await limited.stop();
    }
  });

  it("cannot be got round by cookies that say that something waits to be recorded", async () => {
    const limited = await startSite({ POST_RATE_LIMIT: "2", TRUSTED_PROXIES: "1" });
    try {
      const marks = [];
      for (let i = 0; i < 4; i++) {
        const one = new Visitor(limited.url);
        const recordId = String(i).repeat(32);
        const decidedAt = new Date().toISOString();
        const forged = { version: "1.0", analytics: true, marketing: true, source: "banner", decidedAt } as const;
        one.setCookie("cookie-consent", formatDecision({ ...forged, recordId, unsavedTextHash: "0".repeat(64) }));
        await one.get("/", { "X-Forwarded-For": "198.51.100.9" });
        marks.push(readDecision(one)?.unsavedTextHash ?? null);
      }
      expect(marks).toEqual([null, null, "0".repeat(64), "0".repeat(64)]);
    } finally {
      await limited.stop();
    }
  });

  it("take nothing from what may be posted from there, nor the other way round", async () => {
    const limited = await startSite({ POST_RATE_LIMIT: "2", TRUSTED_PROXIES: "1" });
    try {
      const client = { "X-Forwarded-For": "198.51.100.7" };
      for (let i = 0; i < 3; i++) await new Visitor(limited.url).get("/", { ...client, DNT: "1" });
      const marks = [];
      for (let i = 0; i < 3; i++) {
        const one = new Visitor(limited.url);
        expect((await one.post("/consent", consentForm("reject"), client)).status).toBe(303);
        marks.push(readDecision(one)?.unsavedTextHash ?? null);
      }
      // Above the limit a choice stands as well (REQUIREMENTS 4.7), and its record waits.
      expect(marks).toEqual([null, null, hashShownText("banner")]);
    } finally {
      await limited.stop();
    }
  });
});
