import { describe, expect, it } from "vitest";
import { cookies } from "~/content/cookie-registry";
import { noticeParameter } from "~/lib/pages/notice-parameter";
import { publicPaths } from "../../support/page-source";
import { readText } from "../../support/visitor";
import { hasBanner } from "../support/consent";
import {
  type RawResponse,
  decisionHeaders,
  hashScripts,
  isFromMemory,
  requestRaw,
  withoutScriptData,
} from "../support/raw-response";
import { useSite } from "../support/world";

/** Headers of a single response. */
const onlyRendered = new Set(["date", "x-request-id", "vary", "content-length", "set-cookie", "cache-control"]);

const product = useSite({ GA_MEASUREMENT_ID: "G-ABC123DEF4" }, { isWarm: true });

describe("a page in memory", () => {
  it("equals the rendered page on every path in every encoding", async () => {
    for (const path of [...publicPaths, "/login"]) {
      const rendered = await render(path);
      for (const encoding of ["br", "gzip", "identity"]) {
        const cached = await get(path, { "Accept-Encoding": encoding });
        expectEqualPages(path, cached, rendered);
        expect(cached.headers.get("content-encoding"), path).toBe(encoding === "identity" ? null : encoding);
        expect(Number(cached.headers.get("content-length")), path).toBe(cached.bytes);
        for (const [name, value] of rendered.headers) {
          if (onlyRendered.has(name) || name === "content-security-policy") continue;
          expect(cached.headers.get(name), `${path}: ${name}`).toBe(value);
        }
      }
    }
  });

  it("gets 304 for its ETag in the same encoding only", async () => {
    const tags = new Set<string>();
    for (const encoding of ["br", "gzip", "identity"]) {
      const { headers } = await get("/", { "Accept-Encoding": encoding });
      const etag = headers.get("etag") ?? "";
      tags.add(etag);
      for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const again = await get("/", { "Accept-Encoding": encoding, "If-None-Match": header });
        expect([again.status, again.bytes, again.headers.get("etag")], header).toEqual([304, 0, etag]);
        for (const name of ["cache-control", "vary", "content-security-policy"])
          expect(again.headers.get(name), name).toBe(headers.get(name));
      }
      const other = encoding === "br" ? "gzip" : "br";
      expect((await get("/", { "Accept-Encoding": other, "If-None-Match": etag })).status).toBe(200);
      expect((await get("/", { "Accept-Encoding": encoding, "If-None-Match": '"other"' })).status).toBe(200);
    }
    expect(tags.size).toBe(3);
  });

  it("responds to HEAD with the headers of GET and no body", async () => {
    const head = await requestRaw(`${product.url}/about`, {}, "HEAD");
    const full = await get("/about");
    expect([head.status, head.bytes]).toEqual([200, 0]);
    for (const { headers } of [head, full]) headers.delete("date");
    expect([...head.headers]).toEqual([...full.headers]);
  });

  it("names its request headers in Vary and is private to the browser's cache", async () => {
    const { headers } = await get("/");
    expect(headers.get("vary")).toBe("Accept-Encoding, Cookie, DNT, Sec-GPC");
    expect(headers.get("cache-control")).toBe("private, no-cache, no-transform");
    expect(headers.getSetCookie()).toEqual([]);
  });

  it.each(["?", "?=", "?utm_source=a&utm_source=b&ref=", "?q=digital%20health&amp;fbclid=IwY2%E2%9C%93"])(
    "is the same with a query that no page reads: %s",
    async (query) => {
      for (const path of ["/about", "/contact", "/no-such-page"]) {
        const found = await get(path + query);
        expect(found.text, path).toBe((await get(path)).text);
        expect(found.headers.has("x-request-id"), path).toBe(false);
      }
    },
  );

  it("is not poisoned by a forged host", async () => {
    const honest = await get("/about");
    for (const headers of [
      { Host: "evil.example" },
      { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" },
      { "X-Original-URL": "/admin", "X-Rewrite-URL": "/admin" },
    ] as Record<string, string>[])
      expect((await get("/about", headers)).text).toBe(honest.text);
    expect(honest.text).not.toContain("evil.example");
  });
});

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
const allowed = decisionHeaders({ analytics: true });
const underGpc = decisionHeaders({ analytics: true, underGpc: true });
const bySignal = decisionHeaders({ source: "signal" });

describe("a page's variants", () => {
  const variants: [string, Record<string, string>, { banner: boolean; analytics: boolean }][] = [
    ["no decision", {}, { banner: true, analytics: false }],
    ["banner closed", { Cookie: `${cookies.consentBanner.name}=closed` }, { banner: false, analytics: false }],
    ["rejection", decisionHeaders({}), { banner: false, analytics: false }],
    ["consent", decisionHeaders({ analytics: true, marketing: true }), { banner: false, analytics: true }],
    ["consent to analytics only", allowed, { banner: false, analytics: true }],
    ["decision by a signal", bySignal, { banner: false, analytics: false }],
    ["decision by a signal that is still sent", { ...bySignal, DNT: "1" }, { banner: false, analytics: false }],
    ["first request with a signal", { "Sec-GPC": "1" }, { banner: false, analytics: false }],
    ["consent, then Do Not Track", { ...allowed, DNT: "1" }, { banner: false, analytics: true }],
    ["consent under GPC", { ...underGpc, "Sec-GPC": "1" }, { banner: false, analytics: true }],
    [
      "expired consent",
      decisionHeaders({ analytics: true, decidedAt: daysAgo(183) }),
      { banner: true, analytics: false },
    ],
    ["older text", decisionHeaders({ analytics: true, version: "0.9" }), { banner: true, analytics: false }],
    ["other programs' cookies", { Cookie: "a=b=c;_ga=1; =; _fbp=2; theme" }, { banner: true, analytics: false }],
  ];

  it.each(variants)("equal the page rendered for one request: %s", async (_name, headers, { banner, analytics }) => {
    // The cookie policy shows the dialog with the decision and no analytics; the contact page shows both.
    for (const path of ["/about", "/contact", "/cookie-policy"]) {
      await expect.poll(async () => isFromMemory(await get(path, headers))).toBe(true);
      const cached = await get(path, headers);
      const rendered = await render(path, headers);
      expectEqualPages(path, cached, rendered);
      expect(hasBanner(cached.text), path).toBe(banner);
      expect(cached.text.includes("googletagmanager"), path).toBe(analytics && path !== "/cookie-policy");
      expect(cached.headers.getSetCookie(), path).toEqual(rendered.headers.getSetCookie());
    }
  });

  it("are never confused under concurrent requests", async () => {
    // As many as the render queue accepts from one client.
    const requests = Array.from({ length: 49 }, (_, i) => variants[i % variants.length]!);
    const found = await Promise.all(
      requests.map(async ([name, headers], i) => {
        const { text } = await get(i % 2 ? "/value" : "/scale", headers);
        return [name, { banner: hasBanner(text), analytics: text.includes("googletagmanager") }];
      }),
    );
    expect(found).toEqual(requests.map(([name, , expected]) => [name, expected]));
  });

  it("name a decision without its day, which only the preferences' own address shows", async () => {
    const open = await get("/cookie-policy?cookie-preferences=open", allowed);
    expect(readText(open.text)).toMatch(/Your choice of \w+ \d+, \d{4}, under version/);
    const words = "You have chosen: analytics allowed, marketing not allowed.";
    expect(readText((await get("/cookie-policy", allowed)).text)).toContain(words);
  });
});

describe("a response for one visitor", () => {
  it.each<[string, string, Record<string, string>]>([
    ["open preferences", "/about?utm_source=x&cookie-preferences=ope%6E", decisionHeaders({})],
    ["a signal that must be recorded", "/about", decisionHeaders({ source: "signal", isUnsaved: true })],
    ["a signal that ends a consent", "/about", { ...allowed, "Sec-GPC": "1" }],
    ["a notice for one visitor", "/about?utm_source=x&notice=contactSent.x.y", {}],
    ["a URL in another spelling", "/About", {}],
    ["the firm's own pages", "/admin", {}],
  ])("is never cached: %s", async (_name, path, headers) => {
    for (let i = 0; i < 3; i++) expect(isFromMemory(await get(path, headers))).toBe(false);
  });

  it("is data for scripts, even for missing pages, instead of a cached page", async () => {
    for (const path of ["/no-such-page.data", "/no-such-page.data?x=1", "/no/such.data"]) {
      const { status, headers } = await get(path);
      expect([status, headers.get("content-type")], path).toEqual([404, "text/x-script; charset=utf-8"]);
    }
  });

  it("clears forbidden cookies only for the visitor who sent them", async () => {
    const { headers } = await get("/about", { Cookie: "_ga=GA1.1.1; theme=dark" });
    expect(headers.getSetCookie()).toEqual(["_ga=; Max-Age=0; Path=/", "_ga=; Max-Age=0; Path=/about"]);
    for (const cookie of ["", `_ga=GA1.1.1; ${allowed.Cookie}`])
      expect((await get("/about", { Cookie: cookie })).headers.getSetCookie(), cookie).toEqual([]);
  });
});

/** Renders the page for this request only: its URL has an invalid notice. */
function render(path: string, headers?: Record<string, string>) {
  return get(`${path}?${noticeParameter}=x`, headers);
}

function get(path: string, headers?: Record<string, string>) {
  return requestRaw(product.url + path, headers);
}

function expectEqualPages(path: string, cached: RawResponse, rendered: RawResponse): void {
  expect([isFromMemory(cached), isFromMemory(rendered)], path).toEqual([true, false]);
  expect(withoutScriptData(path, cached.text), path).toBe(withoutScriptData(path, rendered.text));
  // The data for scripts differ, and with them the hashes in the policy.
  const before = hashScripts(rendered.text);
  const others = readPolicy(rendered).filter((source) => !before.includes(source));
  expect(readPolicy(cached), path).toEqual([...others, ...hashScripts(cached.text)].toSorted());
}

/** Lists every source that a page's policy allows, in order. */
function readPolicy({ headers }: { headers: Headers }): string[] {
  return (headers.get("content-security-policy") ?? "").split(/[ ;]+/).toSorted();
}
