import { beforeEach, expect, it } from "vitest";
import { consentHoldsFor, consentVersion } from "~/content/cookie-registry";
import { consentChanges, consentWords } from "~/content/privacy/consent";
import { nameShownText } from "~/features/consent/record/consent-text.server";
import { formatDecision } from "~/lib/consent";
import { findTag, findTags, publicPaths, readTexts } from "../../support/page-source";
import { Visitor, readText } from "../../support/visitor";
import { choose, hasBanner, readDecision, readSetCookies } from "../support/consent";
import { openSite, useSharedSite } from "../support/world";

const pagesWithBanner = [...publicPaths, "/login", "/no-such-page"];
const open = "cookie-preferences=open";
const product = useSharedSite();
let visitor: Visitor;
beforeEach(() => {
  visitor = product.visitor();
});

it("comes first on every page, once for text browsers, and sets no cookie", async () => {
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

it("is a form that returns to its page without the campaign's query, and makes no choice easier", async () => {
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

it("stands apart from its fallback links in text browsers, and the dialog saves when Enter is pressed", async () => {
  const { html } = await visitor.get("/startups");
  const body = html.slice(html.indexOf("<body"));
  expect(body).not.toMatch(/<\/(?:a|button)><(?:a|button|nav)\b|<\/nav><a\b/);
  const [, dialog = ""] = /<dialog id="cookie-preferences"(.*?)<\/dialog>/s.exec(body) ?? [];
  // Enter presses the first one.
  expect(findTags(dialog, "button").flatMap(({ attributes }) => attributes.value ?? [])).toEqual(["save", "reject"]);
});

it("coexists with open preferences: one set of switches, and a link to leave everything unchanged", async () => {
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
])("asks again after a consent %s, shows no switch as on, and keeps its record", async (_case, words, changes) => {
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
});

it("is on no page of a site that needs none, where the preferences stay available", async () => {
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

function readBanner(html: string): string {
  return /<section class="consent-banner".*?<\/section>/s.exec(html)?.[0] ?? "";
}
