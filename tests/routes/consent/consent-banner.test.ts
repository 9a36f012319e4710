import { beforeEach, describe, expect, it } from "vitest";
import { consentHoldsFor, consentVersion } from "~/content/cookie-registry";
import { consentChanges, consentWords } from "~/content/privacy/consent";
import { hashShownText, nameShownText } from "~/features/consent/record/consent-text.server";
import { formatDecision } from "~/lib/consent";
import { isEverything } from "../../support/everything";
import { findTag, findTags, publicPaths, readTexts } from "../../support/page-source";
import { Visitor, readText } from "../../support/visitor";
import { choose, consentForm, hasBanner, readDecision, readSetCookies } from "../support/consent";
import { openSite, useSharedSite, useSite } from "../support/world";

const pagesWithBanner = [...publicPaths, "/login", "/no-such-page"];
const open = "cookie-preferences=open";
const note = "Your browser asks sites not to track you";
const gpc = { "Sec-GPC": "1" };
/** `npm test` tries one from memory and one that is rendered. */
const somePages = isEverything ? publicPaths : ["/", "/contact"];
const product = useSharedSite();
let visitor: Visitor;
beforeEach(() => {
  visitor = product.visitor();
});

it("the banner comes first on every page, once for text browsers, and sets no cookie", async () => {
  for (const path of pagesWithBanner) {
    const answer = await visitor.get(path);
    expect(hasBanner(answer.html), path).toBe(true);
    expect(answer.html.indexOf("consent-banner"), path).toBeLessThan(answer.html.indexOf("<header"));
    expect(readText(readBanner(answer.html)).match(/Customize/g), path).toHaveLength(1);
    const [, footer = ""] = /(<footer.*?<\/footer>)/s.exec(answer.html) ?? [];
    expect(readText(footer).match(/Cookie preferences/g), path).toHaveLength(1);
    expect(readSetCookies(answer), path).toEqual([]);
  }
});

it("the banner is a form that returns to its page without the campaign's query, and makes no choice easier", async () => {
  const banner = readBanner((await visitor.get("/startups?utm_source=mail&x=1")).html);
  expect(findTag(banner, "form", { method: "post", action: "/consent" })).toBeDefined();
  expect(findTag(banner, "input", { name: "page" })?.attributes.value).toBe("/startups");
  expect(findTag(banner, "input", { name: "text" })?.attributes.value).toBe(nameShownText("banner", false));
  // A link in the button's place has its words.
  expect(readTexts(banner, "button")).toEqual(["Reject All", "Accept All", "", "Close"]);
  const [reject, accept, customize] = findTags(banner, "button");
  expect(customize?.attributes["aria-label"]).toBe("Customize");
  expect(reject?.attributes).toEqual({ ...accept?.attributes, value: "reject" });
});

it("the banner stands apart from its fallback links in text browsers, and the dialog saves when Enter is pressed", async () => {
  const { html } = await visitor.get("/startups");
  const body = html.slice(html.indexOf("<body"));
  expect(body).not.toMatch(/<\/(?:a|button)><(?:a|button|nav)\b|<\/nav><a\b/);
  const [, dialog = ""] = /<dialog id="cookie-preferences"(.*?)<\/dialog>/s.exec(body) ?? [];
  // Enter presses the first one.
  expect(findTags(dialog, "button").flatMap(({ attributes }) => attributes.value ?? [])).toEqual(["save", "reject"]);
});

it("the banner coexists with open preferences: one set of switches, and a link to leave everything unchanged", async () => {
  for (const path of publicPaths) {
    const { html } = await visitor.get(`${path}?${open}`);
    const dialogs = findTags(html, "dialog").filter(({ attributes }) => attributes.id === "cookie-preferences");
    expect(dialogs, path).toMatchObject([{ attributes: { open: "" } }]);
    expect(findTag(html, "input", { name: "functional", checked: "", disabled: "" }), path).toBeDefined();
    for (const name of ["analytics", "marketing"])
      expect(findTag(html, "input", { name })?.attributes, path).not.toHaveProperty("checked");
    expect(findTag(html, "a", { href: path, class: "button button-quiet" }), path).toBeDefined();
  }
});

it.each([
  ["under an older text", "You chose before, under an earlier version of this text.", { version: "0.9" }],
  [
    "that has expired",
    "You agreed more than 6 months ago, so we ask again.",
    { decidedAt: new Date(Date.now() - consentHoldsFor * 1000).toISOString() },
  ],
])(
  "the banner asks again after a consent %s, shows no switch as on, and keeps its record",
  async (_case, words, changes) => {
    await choose(visitor, "accept");
    const old = { ...readDecision(visitor)!, ...changes };
    visitor.setCookie("cookie-consent", formatDecision(old));
    for (const path of ["/", "/contact", `/about?${open}`]) {
      const { html } = await visitor.get(path);
      expect(hasBanner(html), path).toBe(true);
      expect(readText(html), path).toContain(words);
      expect(readText(html)).toContain(consentChanges[consentVersion] ?? consentWords(false).banner.text);
      expect(readDecision(visitor)).toEqual(old);
    }
    const { html } = await visitor.get(`/about?${open}`);
    expect(findTag(html, "input", { name: "analytics" })?.attributes).not.toHaveProperty("checked");
    expect(readText(html)).toContain("You haven’t chosen yet.");
    await choose(visitor, "reject");
    expect(readDecision(visitor)).toMatchObject({ version: consentVersion, analytics: false, recordId: old.recordId });
  },
);

it("the banner is on no page of a site that needs none, where the preferences stay available", async () => {
  const site = await openSite({ CONSENT_BANNER: "when-needed" }, { isWarm: true });
  const one = new Visitor(site.url);
  for (const path of [...pagesWithBanner, `/about?${open}`])
    expect(hasBanner((await one.get(path)).html), path).toBe(false);
  expect((await one.get("/about")).html).toContain(`href="/about?${open}#cookie-preferences"`);
  expect((await one.get(`/about?${open}`)).html).toContain("Privacy &amp; Cookie Preferences");
  await choose(one, "save", { analytics: "on" });
  expect(readDecision(one)).toMatchObject({ analytics: true, marketing: false });
  const [withoutBanner, usual] = [await one.get("/cookie-policy"), await visitor.get("/cookie-policy")];
  expect(readText(withoutBanner.html)).toContain("no banner asks you");
  expect(readText(usual.html)).not.toContain("no banner asks you");
});

describe.each<[string, Record<string, string>]>([
  ["DNT", { DNT: "1" }],
  ["Sec-GPC", gpc],
])("a browser that sends %s", (_name, signal) => {
  it("sees no banner on any page, and a note in the footer while it sends the signal", async () => {
    for (const path of [...somePages, "/login", "/no-such-page", `/about?${open}`]) {
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
    for (const first of ["/", "/startups", `/about?${open}`]) {
      const one = product.visitor();
      expect(readSetCookies(await one.get(first, signal))).toMatchObject([
        { name: "cookie-consent", value: `${written}&unsaved=1` },
      ]);
      expect(readSetCookies(await one.get("/about", signal))).toMatchObject([
        { name: "cookie-consent", value: written },
      ]);
      for (const path of [...somePages, "/no-such-page"])
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

it("a signal is shown as such in the preferences", async () => {
  const text = readText((await visitor.get(`/about?${open}`, { DNT: "1" })).html);
  expect(text).toContain("We took your browser’s signal as your choice on");
  expect(text).toContain("analytics not allowed, marketing not allowed");
});

it.each(["/", `/about?${open}`])("a signal stores nothing for a HEAD request of %s", async (path) => {
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

function readBanner(html: string): string {
  return /<section class="consent-banner".*?<\/section>/s.exec(html)?.[0] ?? "";
}
