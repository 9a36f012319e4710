import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consentVersion } from "~/content/cookie-registry";
import { consentChanges, consentWords } from "~/content/privacy/consent";
import { hashShownText, nameShownText } from "~/features/consent/record/consent-text.server";
import { type ConsentDecision, formatDecision } from "~/lib/consent";
import { findTag, findTags, publicPaths, readTexts } from "../../support/page-source";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor, readText } from "../../support/visitor";
import { choose, hasBanner, readDecision, readSetCookies } from "../support/consent";

const pagesWithBanner = [...publicPaths, "/login", "/no-such-page"];
let product: RunningSite;
let visitor: Visitor;

beforeAll(async () => {
  product = await shareSite();
});
beforeEach(() => {
  visitor = new Visitor(product.url);
});

describe("the cookie banner", () => {
  it("comes first on every page until a decision, and sets no cookie by itself", async () => {
    for (const path of pagesWithBanner) {
      const answer = await visitor.get(path);
      expect(hasBanner(answer.html), path).toBe(true);
      expect(answer.html.indexOf("consent-banner"), path).toBeLessThan(answer.html.indexOf("<header"));
      expect(readSetCookies(answer), path).toEqual([]);
    }
  });

  it.each(["accept", "reject", "save", "close"] as const)("disappears from every page after %s", async (choice) => {
    await choose(visitor, choice);
    for (const path of pagesWithBanner) expect(hasBanner((await visitor.get(path)).html), path).toBe(false);
  });

  it("is a form that returns to its page without the campaign's query", async () => {
    const { html } = await visitor.get("/startups?utm_source=mail&x=1");
    const banner = html.slice(html.indexOf("<section"), html.indexOf("</section>"));
    expect(findTag(banner, "form", { method: "post", action: "/consent" })).toBeDefined();
    expect(findTag(banner, "input", { name: "page" })?.attributes.value).toBe("/startups");
    expect(findTag(banner, "input", { name: "text" })?.attributes.value).toBe(nameShownText("banner", false));
    // A link in the button's place has its words.
    expect(readTexts(banner, "button")).toEqual(["Reject All", "Accept All", "", "Close"]);
    const [reject, accept, customize] = findTags(banner, "button");
    expect(customize?.attributes["aria-label"]).toBe("Customize");
    // Same element, same class: neither choice is easier.
    expect(reject?.attributes).toEqual({ ...accept?.attributes, value: "reject" });
  });

  it("stands apart from its fallback links, and from its other buttons, in text browsers", async () => {
    const { html } = await visitor.get("/startups");
    const body = html.slice(html.indexOf("<body"));
    expect(body).not.toMatch(/<\/(?:a|button)><(?:a|button|nav)\b|<\/nav><a\b/);
    const [, dialog = ""] = /<dialog id="cookie-preferences"(.*?)<\/dialog>/s.exec(body) ?? [];
    const choices = findTags(dialog, "button").flatMap(({ attributes }) => attributes.value ?? []);
    // Enter presses the first one.
    expect(choices).toEqual(["save", "reject"]);
  });

  it("is read once in text browsers, which know no styles, like the link in the footer and the numbers of lists", async () => {
    for (const path of publicPaths) {
      const { html } = await visitor.get(path);
      const [, banner = ""] = /(<section class="consent-banner".*?<\/section>)/s.exec(html) ?? [];
      expect(readText(banner).match(/Customize/g), path).toHaveLength(1);
      const [, footer = ""] = /(<footer.*?<\/footer>)/s.exec(html) ?? [];
      expect(readText(footer).match(/Cookie preferences/g), path).toHaveLength(1);
      expect(html, path).not.toMatch(/<ol\b[^>]*>\s*<li\b[^>]*>\s*<span\b[^>]*>1</);
    }
  });

  it("coexists with open preferences: one set of switches, and a link to leave everything unchanged", async () => {
    for (const path of publicPaths) {
      const { html } = await visitor.get(`${path}?cookie-preferences=open`);
      const [dialog, ...others] = findTags(html, "dialog").filter(({ attributes }) => attributes.id !== "menu");
      expect(dialog?.attributes, path).toMatchObject({ id: "cookie-preferences", open: "" });
      expect(
        others.filter(({ attributes }) => attributes.id === "cookie-preferences"),
        path,
      ).toEqual([]);
      expect(findTag(html, "input", { name: "functional" })?.attributes, path).toMatchObject({
        checked: "",
        disabled: "",
      });
      for (const name of ["analytics", "marketing"]) {
        expect(findTag(html, "input", { name })?.attributes, path).not.toHaveProperty("checked");
      }
      expect(findTag(html, "a", { href: path, class: "button button-quiet" }), path).toBeDefined();
    }
  });
});

describe("a decision under an older version of the text", () => {
  const old: ConsentDecision = {
    version: "0.9",
    analytics: true,
    marketing: true,
    source: "banner",
    decidedAt: "2026-01-02T03:04:05.678Z",
    recordId: "old-record_".repeat(3),
    textHash: hashShownText("banner", false),
    underGpc: false,
    isUnsaved: false,
  };

  it("is requested again, with the old decision and the changes", async () => {
    visitor.setCookie("cookie-consent", formatDecision(old));
    const { html } = await visitor.get("/");
    expect(hasBanner(html)).toBe(true);
    expect(readText(html)).toContain("You chose before, under an earlier version of this text.");
    expect(readText(html)).toContain(consentChanges[consentVersion] ?? consentWords(false).banner.text);
    expect(readDecision(visitor)).toEqual(old);
  });

  it("is no consent to the new version: the switches are off", async () => {
    visitor.setCookie("cookie-consent", formatDecision(old));
    const { html } = await visitor.get("/about?cookie-preferences=open");
    expect(findTag(html, "input", { name: "analytics" })?.attributes).not.toHaveProperty("checked");
    expect(readText(html)).toContain("You haven’t chosen yet.");
  });

  it("keeps its record id when it is renewed", async () => {
    visitor.setCookie("cookie-consent", formatDecision(old));
    await choose(visitor, "reject");
    expect(readDecision(visitor)).toMatchObject({ version: consentVersion, analytics: false, recordId: old.recordId });
    expect(hasBanner((await visitor.get("/")).html)).toBe(false);
  });
});

describe("a cookie that this site did not write", () => {
  const session = "s".repeat(32);
  const text = hashShownText("banner", false);
  it.each([
    "",
    "true",
    "%",
    "%E0%A4%A",
    '{"analytics":true}',
    `v=1.0&a=1&m=1&by=banner&at=2026-99-99T99:99:99.999Z&text=${text}&id=${session}`,
    `v=1.0&a=1&m=1&by=banner&at=2026-01-01T00:00:00.000Z&text=${text}&id=${session}'`,
    `v=1.0&a=1&m=1&by=nobody&at=2026-01-01T00:00:00.000Z&text=${text}&id=${session}`,
    // Written by this site before it stored the text's hash.
    `v=1.0&a=1&m=1&by=banner&at=2026-01-01T00:00:00.000Z&id=${session}`,
    "<script>alert(1)</script>",
    "x".repeat(4_000),
  ])("is no decision and causes no error: %s", async (value) => {
    visitor.setCookie("cookie-consent", value);
    visitor.setCookie("session-id", value);
    const { status, html } = await visitor.get("/about");
    expect(status).toBe(200);
    expect(hasBanner(html)).toBe(true);
    expect((await choose(visitor, "reject")).status).toBe(303);
    expect(readDecision(visitor)).toMatchObject({ analytics: false, isUnsaved: false });
    expect(visitor.cookie("session-id")).toMatch(/^[\w-]{32}$/);
  });

  it("closes the banner with any value, because only its name counts", async () => {
    visitor.setCookie("cookie-banner", "%00%ff");
    const { status, html } = await visitor.get("/about");
    expect(status).toBe(200);
    expect(hasBanner(html)).toBe(false);
  });
});

it("publishes its support of Global Privacy Control at the well-known address", async () => {
  const { status, headers, html } = await visitor.get("/.well-known/gpc.json");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  expect(JSON.parse(html)).toEqual({ gpc: true, lastUpdate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
});
