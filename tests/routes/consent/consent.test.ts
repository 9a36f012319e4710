import { beforeEach, describe, expect, it } from "vitest";
import { consentVersion } from "~/content/cookie-registry";
import { hashShownText, nameShownText } from "~/features/consent/record/consent-text.server";
import { Visitor, leadsTo, readText } from "../../support/visitor";
import { choose, consentForm, hasBanner, readDecision, readSetCookies } from "../support/consent";
import { requestRaw } from "../support/raw-response";
import { openSite, useSharedSite } from "../support/world";

const product = useSharedSite();
let visitor: Visitor;
beforeEach(() => {
  visitor = product.visitor();
});

/** Headers of a navigation, by a browser that is new enough (zstd) to stay on the page. */
const navigation = {
  "Sec-Fetch-Site": "same-origin",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
  "Accept-Encoding": "gzip, deflate, br, zstd",
};

/** Posts a form of a browser that can stay on the page. `fetch` would set its own Sec-Fetch-Mode. */
function navigate(choice: string, changes: Record<string, string> = {}) {
  const headers = { ...navigation, "Content-Type": "application/x-www-form-urlencoded", Origin: product.url };
  const body = new URLSearchParams(consentForm(choice, changes)).toString();
  return requestRaw(`${product.url}/consent`, headers, "POST", body);
}

describe("a decision", () => {
  it.each([
    ["accept", {}, { analytics: true, marketing: true, source: "banner" }],
    ["reject", {}, { analytics: false, marketing: false, source: "banner" }],
    ["save", { analytics: "on" }, { analytics: true, marketing: false, source: "dialog" }],
    ["save", { marketing: "on" }, { analytics: false, marketing: true, source: "dialog" }],
    // A button does no more than its label says.
    ["reject", { analytics: "on", marketing: "on" }, { analytics: false, marketing: false, source: "banner" }],
    // A refusal needs no text.
    ["reject", { source: "dialog", text: "" }, { analytics: false, marketing: false, source: "dialog" }],
    ["save", { text: "" }, { analytics: false, marketing: false, source: "dialog" }],
  ] as const)("%s with %j redirects with 303 and is stored as %j", async (choice, fields, expected) => {
    const begin = Date.now();
    const answer = await choose(visitor, choice, { page: "/startups?x=1&cookie-preferences=open#more", ...fields });
    expect([answer.status, leadsTo(answer)]).toEqual([303, "/startups?x=1#more"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    // Prefetched pages still have the banner.
    expect(answer.headers.get("clear-site-data")).toBe('"prefetchCache", "cache"');
    expect(readSetCookies(answer).map(({ name }) => name)).toEqual(["cookie-consent", "session-id"]);
    const decision = readDecision(visitor)!;
    const textHash = hashShownText(expected.source, false);
    expect(decision).toMatchObject({ ...expected, version: consentVersion, textHash, isUnsaved: false });
    expect(Date.parse(decision.decidedAt)).toBeGreaterThanOrEqual(begin);
    expect(decision.recordId).toBe(visitor.cookie("session-id"));
    // Base64: six bits a character.
    expect(decision.recordId).toMatch(/^[\w-]{32}$/);
    for (const path of ["/", "/contact", "/no-such-page"])
      expect(hasBanner((await visitor.get(path)).html), path).toBe(false);
  });

  it("keeps its record after a change, although the browser was closed, and shares it with no one", async () => {
    await choose(visitor, "accept");
    const { recordId } = readDecision(visitor)!;
    const nextDay = product.visitor();
    nextDay.setCookie("cookie-consent", visitor.cookie("cookie-consent") ?? "");
    await choose(nextDay, "save", { marketing: "on" });
    expect(readDecision(nextDay)).toMatchObject({ recordId, marketing: true });
    expect(nextDay.cookie("session-id")).toBe(recordId);

    const other = product.visitor();
    other.setCookie("session-id", "' or 1=1");
    await choose(other, "reject");
    expect(other.cookie("session-id")).toMatch(/^[\w-]{32}$/);
    expect(other.cookie("session-id")).not.toBe(recordId);
  });

  it("gets data and the same cookies when scripts send it", async () => {
    const { status, html } = await visitor.post("/consent.data", consentForm("accept", { answer: "data" }));
    expect(status).toBe(200);
    expect(html).toContain("isKept");
    expect(readDecision(visitor)).toMatchObject({ analytics: true, marketing: true });
  });

  it("returns to an absolute address at SITE_URL only", async () => {
    const siteUrl = "http://firm.example";
    const behindProxy = await openSite({ SITE_URL: siteUrl });
    const follow = async (page: string) => {
      const form = consentForm("reject", { page });
      return leadsTo(await new Visitor(behindProxy.url).post("/consent", form, { Origin: siteUrl }));
    };
    expect(await follow(`${siteUrl}/value?x=1`)).toBe("/value?x=1");
    expect(await follow(`${behindProxy.url}/value`)).toBe("/");
  });
});

it("stores no consent when the banner is closed, and lets a decision follow", async () => {
  const answer = await choose(visitor, "close");
  expect(answer.status).toBe(303);
  expect(readSetCookies(answer)).toMatchObject([{ name: "cookie-banner", value: "closed" }]);
  expect(hasBanner((await visitor.get("/about")).html)).toBe(false);
  await choose(visitor, "accept");
  expect(visitor.cookie("cookie-banner")).toBeUndefined();
  expect(readDecision(visitor)).toMatchObject({ analytics: true });
});

describe("a text that changed while a page was open", () => {
  it.each([
    ["accept", {}],
    ["save", { analytics: "on" }],
    ["save", { marketing: "on" }],
  ] as const)("cannot be agreed to: %s stores nothing and asks to choose again", async (choice, fields) => {
    const answer = await choose(visitor, choice, { text: "0".repeat(16), ...fields });
    expect(answer.status).toBe(303);
    expect(readSetCookies(answer)).toEqual([]);
    const { html } = await visitor.follow(answer);
    expect(readText(html)).toContain("Please choose again");
    expect(hasBanner(html)).toBe(true);
  });

  it("asks again at once even in a browser that could have stayed on the page", async () => {
    const answer = await navigate("accept", { text: nameShownText("banner", true) });
    expect([answer.status, leadsTo(answer)]).toEqual([303, "/about"]);
  });
});

describe("a browser that can stay on the page", () => {
  it.each(["accept", "reject", "close"])("gets 204 after %s once it sends the cookies back", async (choice) => {
    const response = await navigate(choice);
    const check = `${product.url}${response.headers.get("location")}`;
    const Cookie = readSetCookies(response)
      .map(({ name, value }) => `${name}=${value}`)
      .join("; ");
    const kept = await fetch(check, { headers: { ...navigation, Cookie }, redirect: "manual" });
    expect([kept.status, await kept.text(), kept.headers.getSetCookie()]).toEqual([204, "", []]);
    const lost = await fetch(check, { headers: navigation, redirect: "manual" });
    expect([lost.status, leadsTo(lost)]).toEqual([303, "/about"]);
  });

  it("finds no page at the check's address without its signature", async () => {
    for (const path of ["/consent", "/consent?page=/about", "/consent?page=/about&notice=choiceSaved"])
      expect((await visitor.get(path)).status, path).toBe(404);
  });

  it("is redirected after Save Preferences, which may have its own address", async () => {
    expect(leadsTo(await navigate("reject"))).toMatch(/^\/consent\?page=/);
    expect(leadsTo(await navigate("save"))).toBe("/about");
  });
});

it.each<[number, string, string, Record<string, string>]>([
  [400, "a choice that no button has", "maybe", {}],
  // A browser omits Lax cookies from a cross-site post, so it looks like a first visit.
  [403, "a foreign origin, with a signal", "accept", { Origin: "https://evil.example", "Sec-GPC": "1" }],
])("refuses a post with %d and stores nothing: %s", async (status, _case, choice, headers) => {
  const answer = await visitor.post("/consent", consentForm(choice), headers);
  expect(answer.status).toBe(status);
  expect(readSetCookies(answer)).toEqual([]);
});

describe("analytics and advertising cookies without consent", () => {
  const [analytics, marketing, other] = ["_ga_ABC123", "_fbp", "theme"];

  it.each([
    ["by a page before a decision", () => visitor.get("/about"), [analytics, marketing]],
    ["by a missing page", () => visitor.get("/no-such-page"), [analytics, marketing]],
    ["by a page with open preferences", () => visitor.get("/about?cookie-preferences=open"), [analytics, marketing]],
    ["by a rejection", () => choose(visitor, "reject"), [analytics, marketing]],
    ["except those that a choice allows", () => choose(visitor, "save", { analytics: "on" }), [marketing]],
    [
      "not by closing the banner after consent",
      () => choose(visitor, "accept").then(() => choose(visitor, "close")),
      [],
    ],
  ])("are removed %s", async (_case, act, removed) => {
    for (const name of [analytics, marketing, other]) visitor.setCookie(name, "1");
    const lines = readSetCookies(await act()).filter(({ attributes }) => attributes.includes("Max-Age=0"));
    expect(new Set(lines.map(({ name }) => name))).toEqual(new Set(removed));
  });
});
