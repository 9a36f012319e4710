import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consentVersion, cookies } from "~/content/cookie-registry";
import { type TestSite, startSite } from "../../support/site";
import { Visitor, filledContactForm, readText } from "../../support/visitor";
import { chooseWithAnalytics as choose, hasBanner } from "../support/consent";
import { requestRaw, decisionHeaders, isFromMemory } from "../support/raw-response";

let product: TestSite;

beforeAll(async () => {
  product = await startSite({ GA_MEASUREMENT_ID: "G-ABC123DEF4" }, { isWarm: true });
});

afterAll(async () => {
  await product.stop();
});

const get = (path: string, headers?: Record<string, string>) => requestRaw(product.url + path, headers);

describe("a response for one visitor", () => {
  it.each<[string, string, Record<string, string>]>([
    ["open preferences", "/about?cookie-preferences=open", decisionHeaders({})],
    [
      "open preferences after campaign parameters",
      "/about?utm_source=x&cookie-preferences=ope%6E",
      decisionHeaders({}),
    ],
    ["a signal that must be recorded", "/about", decisionHeaders({ source: "signal", isUnsaved: true })],
    ["a signal that ends a consent", "/about", { ...decisionHeaders({ analytics: true }), "Sec-GPC": "1" }],
    ["a notice for one visitor", "/about?utm_source=x&notice=contactSent.x.y", {}],
    ["a URL in another spelling", "/About", {}],
    ["the firm's own pages", "/admin", {}],
  ])("is never cached: %s", async (_name, path, headers) => {
    for (let i = 0; i < 3; i++) expect(isFromMemory(await get(path, headers))).toBe(false);
  });

  it("is data for scripts, even for missing pages, instead of a cached page", async () => {
    for (const path of ["/no-such-page.data", "/no-such-page.data?x=1", "/no/such.data"]) {
      const { status, headers } = await get(path);
      expect([status, headers.get("content-type")], path).toEqual([404, "text/x-script"]);
    }
  });

  it("contains the banner after an outdated or malformed decision", async () => {
    const name = cookies.consentPreference.name;
    const [, older = ""] = decisionHeaders({
      analytics: true,
      marketing: true,
      version: `${consentVersion}-old`,
    }).Cookie.split("=");
    for (const value of [older, older.slice(0, 20), "%00", "{}", ""]) {
      const { text } = await get("/about", { Cookie: `${name}=${value}` });
      expect(text, value).not.toContain("googletagmanager");
      expect(hasBanner(text), value).toBe(true);
    }
  });

  it("shows a decision from memory, but its time only at the preferences' own address", async () => {
    const [first, second] = [new Visitor(product.url), new Visitor(product.url)];
    await choose(first, "accept");
    await choose(second, "reject");
    for (const path of ["/cookie-policy", "/contact"]) {
      for (const [visitor, words] of [
        [first, "analytics allowed, marketing allowed"],
        [second, "analytics not allowed, marketing not allowed"],
      ] as const) {
        await expect.poll(async () => isFromMemory(await visitor.get(path))).toBe(true);
        expect(readText((await visitor.get(path)).html)).toContain(`You have chosen: ${words}.`);
        const open = await visitor.get(`${path}?cookie-preferences=open`);
        expect(isFromMemory(open)).toBe(false);
        expect(readText(open.html)).toMatch(/Your choice of \w+ \d+, \d{4}, under version/);
      }
    }
  });

  it("clears forbidden cookies only for the visitor who sent them", async () => {
    const withCookies = { Cookie: "_ga=GA1.1.1; theme=dark" };
    const { headers } = await get("/about", withCookies);
    expect(headers.getSetCookie()).toEqual(["_ga=; Max-Age=0; Path=/", "_ga=; Max-Age=0; Path=/about"]);
    expect((await get("/about")).headers.getSetCookie()).toEqual([]);
    const allowing = { Cookie: `_ga=GA1.1.1; ${decisionHeaders({ analytics: true }).Cookie}` };
    await expect.poll(async () => isFromMemory(await get("/about", allowing))).toBe(true);
    expect((await get("/about", allowing)).headers.getSetCookie()).toEqual([]);
  });

  it("shows a notice at one URL only, and leaves the cached page unchanged", async () => {
    const sender = new Visitor(product.url);
    const { html } = await sender.postAndFollow("/contact", filledContactForm);
    expect(html).toContain("Message Sent!");
    for (const visitor of [new Visitor(product.url), sender]) {
      const page = await visitor.get("/contact");
      expect(isFromMemory(page)).toBe(true);
      expect(page.html).not.toContain("Message Sent!");
    }
  });

  it("shows only the visitor's own state while others alternate in quick succession", async () => {
    const [allowing, refusing, silent] = [new Visitor(product.url), new Visitor(product.url), new Visitor(product.url)];
    await choose(allowing, "accept");
    await choose(refusing, "reject");
    for (const visitor of [allowing, refusing]) await visitor.get("/about");
    for (let i = 0; i < 10; i++) {
      const seen = await Promise.all(
        [allowing, refusing, silent].map(async (visitor) => (await visitor.get("/about")).html),
      );
      expect(seen.map((html) => html.includes("googletagmanager"))).toEqual([true, false, false]);
      expect(seen.map((html) => hasBanner(html))).toEqual([false, false, true]);
    }
  });
});

it("ignores a forged host and is not poisoned by it", async () => {
  const honest = await get("/about");
  const forgeries: Record<string, string>[] = [
    { Host: "evil.example" },
    { "X-Forwarded-Host": "evil.example" },
    { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" },
    { "X-Original-URL": "/admin", "X-Rewrite-URL": "/admin" },
  ];
  for (const headers of forgeries) {
    expect((await get("/about", headers)).text).toBe(honest.text);
  }
  expect((await get("/about", { Host: "evil.example/<script>" })).status).toBe(400);
  expect((await get("/about")).text).toBe(honest.text);
  expect(honest.text).not.toContain("evil.example");
});
