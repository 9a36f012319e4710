import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { analyticsCookiesLive, consentHoldsFor } from "~/content/cookie-registry";
import { cookieTableWords } from "~/content/privacy/legal-words";
import { hashShownText } from "~/features/consent/record/consent-text.server";
import type { ConsentDecision } from "~/lib/consent";
import { analyzedPaths } from "~/content/site-pages";
import { isEverything } from "../../support/everything";
import { findScripts, publicPaths } from "../../support/page-source";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { startSite, type TestSite } from "../../support/site";
import { type Answer, Visitor, readText } from "../../support/visitor";
import { choose as chooseWithout, chooseWithAnalytics as choose, hasBanner } from "../support/consent";
import { decisionHeaders } from "../support/raw-response";

const property = "G-TEST123456";
const tagAddress = `https://www.googletagmanager.com/gtag/js?id=${property}`;
const legalPaths = ["/data-rights", "/privacy-policy", "/terms-of-service", "/cookie-policy", "/accessibility"];
const unmeasured = [
  ...legalPaths,
  "/login",
  "/no-such-page",
  "/consent",
  "/data-rights/confirm",
  "/data-rights/status",
];
/** One page without scripts, one with scripts and one legal page; in `npm run verify` all. */
const somePaths = isEverything ? publicPaths : ["/", "/contact", "/cookie-policy"];
const day = 24 * 60 * 60 * 1000;

let measured: TestSite;
let unset: RunningSite;
let visitor: Visitor;
beforeAll(async () => {
  measured = await startSite({ GA_MEASUREMENT_ID: property });
  unset = await shareSite();
});
beforeEach(() => {
  visitor = new Visitor(measured.url);
});
afterAll(() => measured.stop());

describe("with a GA property and consent to analytics", () => {
  it("loads Google's tag on content pages by a script whose hash the policy names", async () => {
    await choose(visitor, "save", { analytics: "on" });
    expect([...analyzedPaths].toSorted()).toEqual(publicPaths.filter((path) => !legalPaths.includes(path)).toSorted());
    for (const path of analyzedPaths) {
      const answer = await visitor.get(path);
      const hash = createHash("sha256").update(readTag(answer)).digest("base64");
      const { "script-src": scripts, "connect-src": calls, "img-src": images } = readPolicy(answer);
      expect(scripts, path).toContain(`'sha256-${hash}'`);
      expect(scripts, path).toContain("https://www.googletagmanager.com");
      expect(scripts, path).not.toContain("'unsafe-inline'");
      expect(calls, path).toContain("https://*.google-analytics.com");
      expect(images, path).toContain("https://*.google-analytics.com");
      expect(
        findScripts(answer.html).filter(({ attributes }) => attributes.src === tagAddress),
        path,
      ).toHaveLength(1);
    }
  });

  it("leaves no trace of Google on legal, data rights, admin and missing pages", async () => {
    await choose(visitor, "accept");
    for (const path of unmeasured) expect(findTraces(await visitor.get(path)), path).toEqual([]);
    await visitor.signIn();
    expect(findTraces(await visitor.get("/admin")), "/admin").toEqual([]);
  });

  it.each([
    ["analytics alone", { analytics: "on" }],
    ["both kinds", { analytics: "on", marketing: "on" }],
  ] as const)("grants analytics and no advertising in consent mode, after consent to %s", async (_name, changes) => {
    await choose(visitor, "save", changes);
    const { calls, context } = runTag(readTag(await visitor.get("/about?token=secret")));
    expect(calls.map(([command, what]) => [command, what])).toEqual([
      ["consent", "default"],
      ["consent", "update"],
      ["js", expect.any(Date)],
      ["config", property],
    ]);
    expect(calls[0]?.[2]).toEqual({ ...adsDenied, analytics_storage: "denied" });
    expect(calls[1]?.[2]).toEqual({ ...adsDenied, analytics_storage: "granted" });
    expect(calls[3]?.[2]).toEqual({
      cookie_expires: expect.any(Number),
      allow_google_signals: false,
      allow_ad_personalization_signals: false,
      page_location: "https://firm.example/about",
      page_referrer: "https://elsewhere.example/path",
    });
    expect(JSON.stringify([calls, context])).not.toContain("secret");
  });
});

describe("Google's cookies", () => {
  it.each([
    ["just now", 0],
    ["almost five months ago", 152],
  ])("expire no later than the consent from %s", async (_name, days) => {
    allowInCookie({ decidedAt: new Date(Date.now() - days * day).toISOString() });
    const left = consentHoldsFor - days * 24 * 60 * 60;
    // Later responses come from memory where many visitors share a page.
    for (const path of ["/about", "/about", "/contact"]) {
      const [, , , config] = runTag(readTag(await visitor.get(path))).calls;
      expect(config?.[2]).toMatchObject({ cookie_expires: analyticsCookiesLive });
      expect(analyticsCookiesLive).toBeLessThanOrEqual(left);
    }
  });

  it("are not set in the last month of a consent, which still holds", async () => {
    allowInCookie({ decidedAt: new Date(Date.now() - 153 * day).toISOString() });
    visitor.setCookie("_ga", "GA1.1.1.1");
    const page = await visitor.get("/about");
    expect(findTraces(page)).toEqual([]);
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(hasBanner(page.html)).toBe(false);
  });

  it("are removed with an expired consent, and the page asks again", async () => {
    allowInCookie({ decidedAt: new Date(Date.now() - 183 * day).toISOString() });
    visitor.setCookie("_ga", "GA1.1.1.1");
    const { html, headers } = await visitor.get("/about");
    expect(headers.getSetCookie().join()).toContain("_ga=; Max-Age=0");
    expect(readText(html)).toContain("You agreed more than 6 months ago, so we ask again.");
  });
});

it("sends Google no referrer from our own pages", async () => {
  await choose(visitor, "accept");
  const tag = readTag(await visitor.get("/about"));
  for (const [referrer, expected] of [
    ["https://firm.example/data-rights", "https://firm.example/"],
    ["https://firm.example.evil.example/path?x=1", "https://firm.example.evil.example/path"],
    ["", ""],
  ] as const)
    expect(runTag(tag, referrer).calls[3]?.[2]).toMatchObject({ page_referrer: expected });
});

describe("with a GA property, pages and policies contain no trace of Google", () => {
  it("before a decision", async () => {
    for (const path of publicPaths) expect(findTraces(await visitor.get(path)), path).toEqual([]);
  });

  // The cookie is judged before the page is known, so a few pages stand for all.
  it.each([
    ["after a rejection", () => choose(visitor, "reject")],
    ["after consent to marketing only", () => choose(visitor, "save", { marketing: "on" })],
    ["after closing the banner", () => choose(visitor, "close")],
    ["after consent was withdrawn", () => choose(visitor, "accept").then(() => choose(visitor, "save"))],
    ["after consent to an older text", async () => allowInCookie({ version: "0.9" })],
    [
      "after consent half a year ago",
      async () => allowInCookie({ decidedAt: new Date(Date.now() - 183 * day).toISOString() }),
    ],
    [
      "after consent to the text without analytics",
      async () => allowInCookie({ textHash: hashShownText("banner", false) }),
    ],
    ["after a cookie that this site did not write", async () => visitor.setCookie("cookie-consent", "a=1&m=1")],
  ])("%s", async (_name, prepare) => {
    await prepare();
    for (const path of somePaths) expect(findTraces(await visitor.get(path)), path).toEqual([]);
  });

  it("for a browser with a consent signal", async () => {
    for (const path of somePaths) expect(findTraces(await visitor.get(path, { "Sec-GPC": "1" })), path).toEqual([]);
  });
});

it("ignores consent to analytics without a GA property", async () => {
  const visitorWithout = new Visitor(unset.url);
  await chooseWithout(visitorWithout, "accept");
  for (const path of somePaths) expect(findTraces(await visitorWithout.get(path)), path).toEqual([]);
});

it("states in the cookie policy whether analytics cookies are in use", async () => {
  const title = cookieTableWords.groups.analytics;
  expect(await readPolicyText(measured)).toMatch(new RegExp(`${title}\\W+${cookieTableWords.inUse}`));
  expect(await readPolicyText(unset)).toMatch(new RegExp(`${title}\\W+${cookieTableWords.notInUse}`));
});

function allowInCookie(changes: Partial<ConsentDecision>) {
  const [, cookie = ""] = /=(.*)/.exec(decisionHeaders({ analytics: true, marketing: true, ...changes }).Cookie) ?? [];
  visitor.setCookie("cookie-consent", cookie);
}

/**
 * Finds traces of Google in a page or its policy. It ignores the page's text, because the cookie policy names Google,
 * and the policy's hashes: their scripts are searched themselves, and a hash may contain any letters, such as "gtag".
 */
function findTraces({ html, headers }: Answer): string[] {
  const sources = findScripts(html).map(({ attributes }) => attributes.src ?? "");
  const inline = [...html.matchAll(/<script\b[^>]*>([^<]*)/g)].map(([, script = ""]) => script);
  const policy = headers.get("content-security-policy") ?? "no policy at all: google";
  const named = policy.replace(/'sha256-[^']*'/g, "");
  return [...sources, ...inline, named].filter((text) => /google|gtag|dataLayer|G-TEST/i.test(text));
}

async function readPolicyText({ url }: RunningSite): Promise<string> {
  return readText((await new Visitor(url).get("/cookie-policy")).html);
}

/** Consent mode's denied advertising states. */
const adsDenied = { ad_storage: "denied", ad_user_data: "denied", ad_personalization: "denied" };

function readTag({ html }: Answer): string {
  const tags = [...html.slice(0, html.indexOf("</head>")).matchAll(/<script>([\s\S]*?)<\/script>/g)];
  expect(tags).toHaveLength(1);
  return tags[0]?.[1] ?? "";
}

function readPolicy({ headers }: Answer): Record<string, string[]> {
  const directives = (headers.get("content-security-policy") ?? "").split("; ").map((part) => part.split(" "));
  return Object.fromEntries(directives.map(([name = "", ...sources]) => [name, sources]));
}

/** Runs the tag like a page and returns its commands to Google's script. */
function runTag(
  script: string,
  referrer = "https://elsewhere.example/path?token=secret",
): { calls: unknown[][]; context: object } {
  const context = { dataLayer: undefined as ArrayLike<unknown>[] | undefined, addEventListener: () => {} };
  const location = { origin: "https://firm.example", pathname: "/about", search: "?token=secret" };
  const document = { referrer };
  // In a page, properties of the window are global names; `with` imitates that.
  new Function("window", "location", "document", `with(window){${script}}`)(context, location, document);
  return { calls: (context.dataLayer ?? []).map((call) => Array.from(call)), context };
}
