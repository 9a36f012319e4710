import { beforeEach, describe, expect, it } from "vitest";
import { consentVersion } from "~/content/cookie-registry";
import { hashShownText } from "~/features/consent/record/consent-text.server";
import { isEverything } from "../../support/everything";
import { publicPaths } from "../../support/page-source";
import { type Visitor, readText } from "../../support/visitor";
import { consentForm, hasBanner, readDecision, readSetCookies } from "../support/consent";
import { useSharedSite, useSite } from "../support/world";

const note = "Your browser asks sites not to track you";
const gpc = { "Sec-GPC": "1" };
/** `npm test` tries one from memory and one that is rendered. */
const pages = isEverything ? publicPaths : ["/", "/contact"];
const product = useSharedSite();
let visitor: Visitor;
beforeEach(() => {
  visitor = product.visitor();
});

describe.each<[string, Record<string, string>]>([
  ["DNT", { DNT: "1" }],
  ["Sec-GPC", gpc],
])("a browser that sends %s", (_name, signal) => {
  it("sees no banner on any page, and a note in the footer while it sends the signal", async () => {
    for (const path of [...pages, "/login", "/no-such-page", "/about?cookie-preferences=open"]) {
      const one = product.visitor();
      for (let visit = 0; visit < 2; visit++) {
        const { html } = await one.get(path, signal);
        expect(hasBanner(html), path).toBe(false);
        expect(readText(html.slice(html.indexOf("<footer"))), path).toContain(note);
      }
      const { html } = await one.get(path);
      expect([hasBanner(html), readText(html).includes(note)], path).toEqual([false, false]);
    }
  });

  it("gets one cookie without an id, the same as all others, which is recorded once it comes back", async () => {
    const today = new Date().toISOString().slice(0, 10);
    const written = `v=${consentVersion}&a=0&m=0&by=signal&at=${today}T00:00:00.000Z&text=${hashShownText("signal", false)}`;
    for (const first of ["/", "/startups", "/about?cookie-preferences=open"]) {
      const one = product.visitor();
      expect(readSetCookies(await one.get(first, signal))).toMatchObject([
        { name: "cookie-consent", value: `${written}&unsaved=1` },
      ]);
      expect(readSetCookies(await one.get("/about", signal))).toMatchObject([
        { name: "cookie-consent", value: written },
      ]);
      for (const path of [...pages, "/no-such-page"])
        expect(readSetCookies(await one.get(path, signal)), path).toEqual([]);
    }
  });

  it("may decide otherwise while it sends the signal", async () => {
    await visitor.get("/", signal);
    await visitor.post("/consent", consentForm("save", { analytics: "on" }), signal);
    const chosen = readDecision(visitor);
    expect(chosen).toMatchObject({ analytics: true, source: "dialog" });
    expect(readText((await visitor.get("/", signal)).html)).toContain(note);
    expect(readDecision(visitor)).toEqual(chosen);
  });
});

it("is shown as such in the preferences", async () => {
  const text = readText((await visitor.get("/about?cookie-preferences=open", { DNT: "1" })).html);
  expect(text).toContain("We took your browser’s signal as your choice on");
  expect(text).toContain("analytics not allowed, marketing not allowed");
});

it.each(["/", "/about?cookie-preferences=open"])("stores nothing for a HEAD request of %s", async (path) => {
  const response = await fetch(product.url + path, { method: "HEAD", headers: gpc });
  expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
});

describe("many signals from one address", () => {
  const limited = useSite({ POST_RATE_LIMIT: "2", TRUSTED_PROXIES: "1" });

  // Each test uses its own addresses, because limits count addresses.
  it("are all honored; records above the limit wait for the next visit", async () => {
    const client = { "X-Forwarded-For": "198.51.100.7", DNT: "1" };
    const visitors = [1, 2, 3, 4].map(() => limited.visitor());
    for (const one of visitors) expect(hasBanner((await one.get("/", client)).html)).toBe(false);
    for (const one of visitors) await one.get("/about", client);
    expect(visitors.map((one) => readDecision(one)?.isUnsaved)).toEqual([false, false, true, true]);
    await visitors[2]?.get("/about", { ...client, "X-Forwarded-For": "198.51.100.8" });
    expect(readDecision(visitors[2]!)).toMatchObject({ isUnsaved: false });
  });

  it("count separately from the posts of that address", async () => {
    const client = { "X-Forwarded-For": "198.51.100.10" };
    for (let i = 0; i < 3; i++) {
      const one = limited.visitor();
      for (let visit = 0; visit < 2; visit++) await one.get("/", { ...client, DNT: "1" });
    }
    const marks = [];
    for (let i = 0; i < 3; i++) {
      const one = limited.visitor();
      expect((await one.post("/consent", consentForm("reject"), client)).status).toBe(303);
      marks.push(readDecision(one)?.isUnsaved);
    }
    // Above the limit a decision still holds (REQUIREMENTS 4.7), and its record waits.
    expect(marks).toEqual([false, false, true]);
  });
});
