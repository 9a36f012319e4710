import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cookies } from "~/content/facts";
import { cookieTableWords } from "~/content/privacy/legal-words";
import { formatDecision } from "~/lib/consent";
import { findScripts, publicPaths } from "../../support/page-source";
import { startSite, type TestSite } from "../../support/site";
import { type Answer, Visitor, readText } from "../../support/visitor";
import { choose } from "../support/consent";

const property = "G-TEST123456";
const tagAddress = `https://www.googletagmanager.com/gtag/js?id=${property}`;
const unmeasured = ["/login", "/no-such-page", "/consent"];

let measured: TestSite;
let unset: TestSite;
let visitor: Visitor;
beforeAll(async () => {
  measured = await startSite({ GA_MEASUREMENT_ID: property });
  unset = await startSite();
});
beforeEach(() => {
  visitor = new Visitor(measured.url);
});
afterAll(async () => {
  await measured.stop();
  await unset.stop();
});

describe("with a property set and analytics allowed", () => {
  it("every public page calls Google's tag, by a script whose hash the policy names, and by no other", async () => {
    await choose(visitor, "save", { analytics: "on" });
    for (const path of publicPaths) {
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

  it("the firm's own pages and pages that do not exist know nothing of it", async () => {
    await choose(visitor, "accept");
    for (const path of unmeasured) expect(findTraces(await visitor.get(path)), path).toEqual([]);
    await visitor.signIn();
    expect(findTraces(await visitor.get("/admin")), "/admin").toEqual([]);
  });

  it.each([
    ["analytics alone", { analytics: "on" }, "denied"],
    ["both kinds", { analytics: "on", marketing: "on" }, "granted"],
  ] as const)("consent mode denies everything first, then grants %s", async (_name, changes, advertising) => {
    await choose(visitor, "save", changes);
    const { calls, context } = runTag(readTag(await visitor.get("/about?token=secret")));
    const granted = advertising === "granted" ? ads("granted") : {};
    expect(calls.map(([command, what]) => [command, what])).toEqual([
      ["consent", "default"],
      ["consent", "update"],
      ["js", expect.any(Date)],
      ["config", property],
    ]);
    expect(calls[0]?.[2]).toEqual({ ...ads("denied"), analytics_storage: "denied" });
    expect(calls[1]?.[2]).toEqual({ ...granted, analytics_storage: "granted" });
    expect(calls[3]?.[2]).toEqual({
      cookie_expires: cookies.googleAnalytics.lifetime,
      allow_google_signals: advertising === "granted",
      allow_ad_personalization_signals: advertising === "granted",
      page_location: "https://firm.example/about",
      page_referrer: "https://elsewhere.example/path",
    });
    expect(JSON.stringify([calls, context])).not.toContain("secret");
  });
});

describe("with a property set, pages and policies know nothing of it", () => {
  it.each([
    ["before a choice", async () => {}],
    ["after everything was refused", () => choose(visitor, "reject")],
    ["after only marketing was allowed", () => choose(visitor, "save", { marketing: "on" })],
    ["after the question was closed", () => choose(visitor, "close")],
    ["after consent was withdrawn", () => choose(visitor, "accept").then(() => choose(visitor, "save"))],
    ["after consent to older words", async () => allowInCookie({ version: "0.9" })],
    ["after a cookie that this site did not write", async () => visitor.setCookie("cookie-consent", "a=1&m=1")],
  ])("%s", async (_name, prepare) => {
    await prepare();
    for (const path of publicPaths) expect(findTraces(await visitor.get(path)), path).toEqual([]);
  });

  it("for a browser that asks not to be tracked", async () => {
    for (const path of publicPaths) expect(findTraces(await visitor.get(path, { "Sec-GPC": "1" })), path).toEqual([]);
  });
});

it("with no property set, allowing analytics changes nothing", async () => {
  const here = new Visitor(unset.url);
  await choose(here, "accept");
  for (const path of publicPaths) expect(findTraces(await here.get(path)), path).toEqual([]);
});

it("the cookie policy says whether the cookies of analytics are in use", async () => {
  const title = cookieTableWords.groups.analytics;
  expect(await readPolicyText(measured)).toMatch(new RegExp(`${title}\\W+${cookieTableWords.inUse}`));
  expect(await readPolicyText(unset)).toMatch(new RegExp(`${title}\\W+${cookieTableWords.notInUse}`));
});

function allowInCookie({ version }: { version: string }) {
  const decidedAt = new Date().toISOString();
  const decision = { version, analytics: true, marketing: true, source: "banner", decidedAt } as const;
  visitor.setCookie("cookie-consent", formatDecision({ ...decision, recordId: "r".repeat(32), unsavedTextHash: null }));
}

/** Where a page or its policy knows of Google. The cookie policy names it in its text, which is no matter. */
function findTraces({ html, headers }: Answer): string[] {
  const sources = findScripts(html).map(({ attributes }) => attributes.src ?? "");
  const inline = [...html.matchAll(/<script\b[^>]*>([^<]*)/g)].map(([, script = ""]) => script);
  const policy = headers.get("content-security-policy") ?? "no policy at all: google";
  return [...sources, ...inline, policy].filter((text) => /google|gtag|dataLayer|G-TEST/i.test(text));
}

async function readPolicyText({ url }: TestSite): Promise<string> {
  return readText((await new Visitor(url).get("/cookie-policy")).html);
}

/** Consent mode's states of advertising. */
function ads(state: "granted" | "denied") {
  return { ad_storage: state, ad_user_data: state, ad_personalization: state };
}

function readTag({ html }: Answer): string {
  const tags = [...html.slice(0, html.indexOf("</head>")).matchAll(/<script>([\s\S]*?)<\/script>/g)];
  expect(tags).toHaveLength(1);
  return tags[0]?.[1] ?? "";
}

function readPolicy({ headers }: Answer): Record<string, string[]> {
  const directives = (headers.get("content-security-policy") ?? "").split("; ").map((part) => part.split(" "));
  return Object.fromEntries(directives.map(([name = "", ...sources]) => [name, sources]));
}

/** Runs the tag as a page would, and returns what it tells Google's script. */
function runTag(script: string): { calls: unknown[][]; context: object } {
  const context = { dataLayer: undefined as ArrayLike<unknown>[] | undefined, addEventListener: () => {} };
  const location = { origin: "https://firm.example", pathname: "/about", search: "?token=secret" };
  const document = { referrer: "https://elsewhere.example/path?token=secret" };
  // In a page, what the window holds is a name of its own; `with` does the same here.
  new Function("window", "location", "document", `with(window){${script}}`)(context, location, document);
  return { calls: (context.dataLayer ?? []).map((call) => Array.from(call)), context };
}
