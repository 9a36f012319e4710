import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { consentHoldsFor, consentVersion } from "~/content/cookie-registry";
import { hashShownText, nameShownText } from "~/features/consent/record/consent-text.server";
import { type ConsentDecision, formatDecision } from "~/lib/consent";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor, leadsTo, readText } from "../../support/visitor";
import { choose, consentForm, hasBanner, navigation, postRaw, readDecision, readSetCookies } from "../support/consent";

let product: RunningSite;
let visitor: Visitor;

beforeAll(async () => {
  product = await shareSite();
});
beforeEach(() => {
  visitor = new Visitor(product.url);
});

describe("a decision", () => {
  it.each([
    ["accept", {}, { analytics: true, marketing: true, source: "banner" }],
    ["reject", {}, { analytics: false, marketing: false, source: "banner" }],
    ["save", { analytics: "on" }, { analytics: true, marketing: false, source: "dialog" }],
    ["save", { marketing: "on" }, { analytics: false, marketing: true, source: "dialog" }],
    // Functional cookies cannot be switched off, and a button does no more than its label says.
    ["save", { functional: "" }, { analytics: false, marketing: false, source: "dialog" }],
    ["reject", { analytics: "on", marketing: "on" }, { analytics: false, marketing: false, source: "banner" }],
    ["reject", { analytics: "on", source: "dialog" }, { analytics: false, marketing: false, source: "dialog" }],
  ] as const)("%s with %j redirects with 303 and is stored as %j", async (choice, fields, expected) => {
    const begin = Date.now();
    const { status, headers } = await choose(visitor, choice, { page: "/startups?x=1#more", ...fields });
    expect(status).toBe(303);
    expect(leadsTo({ headers })).toBe("/startups?x=1#more");
    expect(headers.get("cache-control")).toBe("no-store");
    const decision = readDecision(visitor);
    expect(decision).toMatchObject({ ...expected, version: consentVersion, isUnsaved: false });
    expect(Date.parse(decision?.decidedAt ?? "")).toBeGreaterThanOrEqual(begin);
    expect(decision?.recordId).toBe(visitor.cookie("session-id"));
  });

  it("hides the banner on every page and appears in the preferences", async () => {
    await choose(visitor, "save", { analytics: "on" });
    for (const path of ["/", "/contact", "/no-such-page"]) {
      expect(hasBanner((await visitor.get(path)).html), path).toBe(false);
    }
    const text = readText((await visitor.get("/about?cookie-preferences=open")).html);
    const today = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(new Date());
    expect(text).toContain(`Your choice of ${today}, under version ${consentVersion}`);
    expect(text).toContain("analytics allowed, marketing not allowed");
  });

  it("keeps its record after a change, even after the browser was closed", async () => {
    await choose(visitor, "accept");
    const first = readDecision(visitor);
    await choose(visitor, "reject");
    expect(readDecision(visitor)).toMatchObject({ recordId: first?.recordId, analytics: false });

    const nextDay = new Visitor(product.url);
    nextDay.setCookie("cookie-consent", visitor.cookie("cookie-consent") ?? "");
    await choose(nextDay, "save", { marketing: "on" });
    expect(readDecision(nextDay)).toMatchObject({ recordId: first?.recordId, marketing: true });
    expect(nextDay.cookie("session-id")).toBe(first?.recordId);
  });

  it("has a random record id of at least 128 bits for each visitor", async () => {
    const ids = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const other = new Visitor(product.url);
      await choose(other, "reject");
      ids.add(other.cookie("session-id") ?? "");
    }
    expect(ids.size).toBe(3);
    // Base64: six bits a character.
    for (const id of ids) expect(id).toMatch(/^[\w-]{32}$/);
  });

  it("gets data and the same cookies when scripts send it", async () => {
    const { status, html } = await visitor.post("/consent.data", consentForm("accept", { answer: "data" }));
    expect(status).toBe(200);
    expect(html).toContain("isKept");
    expect(readDecision(visitor)).toMatchObject({ analytics: true, marketing: true });
  });
});

describe("the close button", () => {
  it("stores no consent and hides the banner for half a year", async () => {
    const answer = await choose(visitor, "close");
    expect(answer.status).toBe(303);
    expect(readSetCookies(answer)).toEqual([
      {
        name: "cookie-banner",
        value: "closed",
        attributes: ["HttpOnly", `Max-Age=${consentHoldsFor}`, "Path=/", "SameSite=Lax"],
      },
    ]);
    expect(hasBanner((await visitor.get("/about")).html)).toBe(false);
    expect(hasBanner((await new Visitor(product.url).get("/about")).html)).toBe(true);
  });

  it("gives way to a later decision", async () => {
    await choose(visitor, "close");
    await choose(visitor, "accept");
    expect(visitor.cookie("cookie-banner")).toBeUndefined();
    expect(readDecision(visitor)).toMatchObject({ analytics: true });
  });
});

describe("a text that changed while a page was open", () => {
  it.each([
    ["accept", {}],
    ["save", { analytics: "on" }],
    ["save", { marketing: "on" }],
  ] as const)("cannot be agreed to: %s stores nothing and asks to choose again", async (choice, fields) => {
    const answer = await choose(visitor, choice, { text: "0".repeat(16), ...fields });
    expect(answer.status).toBe(303);
    expect(readDecision(visitor)).toBeNull();
    expect(visitor.cookie("session-id")).toBeUndefined();
    const { html } = await visitor.follow(answer);
    expect(readText(html)).toContain("Please choose again");
    expect(hasBanner(html)).toBe(true);
  });

  it.each(["reject", "save"] as const)("does not prevent a rejection: %s is stored", async (choice) => {
    await choose(visitor, choice, { text: "" });
    expect(readDecision(visitor)).toMatchObject({ analytics: false, marketing: false, version: consentVersion });
  });

  it("asks again at once even in a browser that could have stayed on the page", async () => {
    const form = consentForm("accept", { text: nameShownText("banner", true) });
    const { status } = await postRaw(`${product.url}/consent`, form, navigation);
    expect(status).toBe(303);
  });
});

describe("a browser that can stay on the page", () => {
  it.each(["accept", "reject", "close"] as const)(
    "gets 204 after %s once it sends the cookies back",
    async (choice) => {
      const response = await postRaw(`${product.url}/consent`, consentForm(choice), navigation);
      const cookies = readSetCookies(response);
      expect(cookies.map(({ name }) => name)).toEqual(
        choice === "close" ? ["cookie-banner"] : ["cookie-consent", "session-id"],
      );
      const check = `${product.url}${response.headers.get("location")}`;
      const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
      const kept = await fetch(check, { headers: { ...navigation, Cookie }, redirect: "manual" });
      expect([kept.status, await kept.text(), kept.headers.getSetCookie()]).toEqual([204, "", []]);
      const lost = await fetch(check, { headers: navigation, redirect: "manual" });
      expect([lost.status, leadsTo(lost)]).toEqual([303, "/about"]);
    },
  );

  it("finds no page at the check's address without its signature", async () => {
    for (const path of ["/consent", "/consent?page=/about", "/consent?page=/about&notice=choiceSaved"])
      expect((await fetch(`${product.url}${path}`)).status, path).toBe(404);
  });

  it("is redirected after Save Preferences, which may have its own address", async () => {
    const { status } = await postRaw(`${product.url}/consent`, consentForm("save"), navigation);
    expect(status).toBe(303);
  });

  it.each([
    ["Sec-Fetch-Mode", "cors"],
    ["Sec-Fetch-Dest", "empty"],
    ["Sec-Fetch-Dest", "iframe"],
    ["Accept-Encoding", "gzip, deflate, br"],
  ])("is not recognized with %s: %s", async (name, value) => {
    const { status } = await postRaw(`${product.url}/consent`, consentForm("reject"), { ...navigation, [name]: value });
    expect(status).toBe(303);
  });

  it("gets the pressed choice stored despite a consent signal", async () => {
    const headers = { ...navigation, DNT: "1", "Sec-GPC": "1" };
    const answer = await postRaw(`${product.url}/consent`, consentForm("accept"), headers);
    expect(leadsTo(answer)).toMatch(/^\/consent\?page=/);
    const choices = readSetCookies(answer).filter(({ name }) => name === "cookie-consent");
    expect(choices.map(({ value }) => /a=\d&m=\d&by=\w+/.exec(value)?.[0])).toEqual(["a=1&m=1&by=banner"]);
  });
});

it("stores the hash of the shown text in the cookie", async () => {
  await choose(visitor, "accept");
  expect(visitor.cookie("cookie-consent")).toContain(`&text=${hashShownText("banner", false)}&`);
});

describe("consent", () => {
  it("expires after half a year and is requested again, while a rejection stays", async () => {
    await choose(visitor, "accept");
    rewriteCookie({ decidedAt: daysAgo(181) });
    expect(hasBanner((await visitor.get("/about")).html)).toBe(false);
    rewriteCookie({ decidedAt: daysAgo(183) });
    for (const path of ["/about", "/contact", "/about?cookie-preferences=open"]) {
      const { html } = await visitor.get(path);
      expect(hasBanner(html), path).toBe(true);
      expect(readText(html), path).toContain("You agreed more than 6 months ago, so we ask again.");
    }
    const open = readText((await visitor.get("/about?cookie-preferences=open")).html);
    expect(open).toContain("You haven’t chosen yet.");

    await choose(visitor, "reject");
    rewriteCookie({ decidedAt: daysAgo(700) });
    expect(hasBanner((await visitor.get("/about")).html)).toBe(false);
  });

  it("to the text without analytics does not cover analytics and is requested again", async () => {
    await choose(visitor, "accept");
    rewriteCookie({ textHash: hashShownText("banner", true) });
    const { html } = await visitor.get("/about");
    expect(hasBanner(html)).toBe(true);
    expect(readText(html)).toContain("You chose before, under an earlier version of this text.");
    await choose(visitor, "reject");
    rewriteCookie({ textHash: hashShownText("banner", true) });
    expect(hasBanner((await visitor.get("/about")).html)).toBe(false);
  });
});

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
}

/** Changes the decision in the visitor's own cookie. */
function rewriteCookie(changes: Partial<ConsentDecision>): void {
  const kept = readDecision(visitor);
  if (kept) visitor.setCookie("cookie-consent", formatDecision({ ...kept, ...changes }));
}
