import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cookies } from "~/content/cookie-registry";
import { noticeParameter } from "~/lib/pages/notice-parameter";
import { publicPaths, scriptedPaths } from "../../support/page-source";
import { type TestSite, startSite } from "../../support/site";
import { hasBanner } from "../support/consent";
import { type RawResponse, requestRaw, decisionHeaders, hashScripts, isFromMemory } from "../support/raw-response";

/** Headers of a single response. */
const onlyRendered = new Set(["date", "x-request-id", "vary", "content-length", "set-cookie", "cache-control"]);

const cachedPaths = [...publicPaths, "/login"];
let product: TestSite;

beforeAll(async () => {
  product = await startSite({ GA_MEASUREMENT_ID: "G-ABC123DEF4" }, { isWarm: true });
});

afterAll(async () => {
  await product.stop();
});

const withoutDate = ({ headers }: { headers: Headers }) => [...headers].filter(([name]) => name !== "date");

describe("a page in memory", () => {
  it("equals the rendered page on every path in every encoding", async () => {
    for (const path of cachedPaths) {
      const rendered = await render(path);
      expect(isFromMemory(rendered), path).toBe(false);
      for (const encoding of ["br", "gzip", "identity"]) {
        const cached = await get(path, { "Accept-Encoding": encoding });
        expect(isFromMemory(cached), path).toBe(true);
        expect(cached.headers.get("content-encoding"), path).toBe(encoding === "identity" ? null : encoding);
        expect(withoutData(path, cached.text), path).toBe(withoutData(path, rendered.text));
        expect(Number(cached.headers.get("content-length")), path).toBe(cached.bytes);
        for (const [name, value] of rendered.headers) {
          if (onlyRendered.has(name) || name === "content-security-policy") continue;
          expect(cached.headers.get(name), `${path}: ${name}`).toBe(value);
        }
        expect(readPolicy(cached), path).toEqual(policyFor(rendered, cached.text));
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
        expect([again.status, again.bytes], header).toEqual([304, 0]);
        expect(again.headers.get("etag")).toBe(etag);
        for (const name of ["cache-control", "vary", "content-security-policy"]) {
          expect(again.headers.get(name), name).toBe(headers.get(name));
        }
      }
      const other = encoding === "br" ? "gzip" : "br";
      expect((await get("/", { "Accept-Encoding": other, "If-None-Match": etag })).status).toBe(200);
      expect((await get("/", { "Accept-Encoding": encoding, "If-None-Match": '"other"' })).status).toBe(200);
    }
    expect(tags.size).toBe(3);
  });

  it("responds to HEAD with the headers of GET and no body", async () => {
    const [head, full] = [
      await get("/about", { "Accept-Encoding": "br" }, "HEAD"),
      await get("/about", { "Accept-Encoding": "br" }),
    ];
    expect([head.status, head.bytes]).toEqual([200, 0]);
    expect(withoutDate(head)).toEqual(withoutDate(full));
  });

  it("names its request headers in Vary and is private to the browser's cache", async () => {
    const { headers } = await get("/");
    expect(headers.get("vary")).toBe("Accept-Encoding, Cookie, DNT, Sec-GPC");
    expect(headers.get("cache-control")).toBe("private, no-cache, no-transform");
    expect(headers.getSetCookie()).toEqual([]);
  });

  it.each([
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.0,gzip;q=0", null],
    ["identity", null],
    ["GZIP", "gzip"],
    ["zstd", null],
    ["gzip, deflate, br, zstd", "br"],
  ])("is encoded as Accept-Encoding %s allows", async (accepted, encoding) => {
    const { headers } = await get("/", { "Accept-Encoding": accepted });
    expect(headers.get("content-encoding")).toBe(encoding);
  });
});

const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();

describe("a page's variants", () => {
  const variants: [string, Record<string, string>, { banner: boolean; analytics: boolean }][] = [
    ["no decision", {}, { banner: true, analytics: false }],
    ["banner closed", { Cookie: `${cookies.consentBanner.name}=closed` }, { banner: false, analytics: false }],
    ["rejection", decisionHeaders({}), { banner: false, analytics: false }],
    ["consent", decisionHeaders({ analytics: true, marketing: true }), { banner: false, analytics: true }],
    ["consent to analytics only", decisionHeaders({ analytics: true }), { banner: false, analytics: true }],
    ["decision by a signal", decisionHeaders({ source: "signal" }), { banner: false, analytics: false }],
    [
      "decision by a signal that is still sent",
      { ...decisionHeaders({ source: "signal" }), DNT: "1" },
      { banner: false, analytics: false },
    ],
    ["first request with a signal", { "Sec-GPC": "1" }, { banner: false, analytics: false }],
    [
      "consent, then Do Not Track",
      { ...decisionHeaders({ analytics: true }), DNT: "1" },
      { banner: false, analytics: true },
    ],
    [
      "consent under Global Privacy Control",
      { ...decisionHeaders({ analytics: true, underGpc: true }), "Sec-GPC": "1" },
      { banner: false, analytics: true },
    ],
    ["expired consent", decisionHeaders({ analytics: true, decidedAt: ago(183) }), { banner: true, analytics: false }],
    [
      "consent months ago",
      decisionHeaders({ analytics: true, decidedAt: ago(100) }),
      { banner: false, analytics: true },
    ],
    ["consent to an older text", decisionHeaders({ version: "0.9" }), { banner: true, analytics: false }],
    ["foreign cookies", { Cookie: "theme=dark; tracking=42" }, { banner: true, analytics: false }],
  ];

  it.each(variants)("equal the page rendered for one request: %s", async (_name, headers, { banner, analytics }) => {
    // The cookie policy shows the dialog with the decision and no analytics; the contact page shows both.
    for (const path of ["/about", "/contact", "/cookie-policy"]) {
      await get(path, headers);
      await expect.poll(async () => isFromMemory(await get(path, headers))).toBe(true);
      const cached = await get(path, headers);
      const rendered = await render(path, headers);
      expect(isFromMemory(rendered), path).toBe(false);
      expect(withoutData(path, cached.text), path).toBe(withoutData(path, rendered.text));
      expect(readPolicy(cached), path).toEqual(policyFor(rendered, cached.text));
      expect(hasBanner(cached.text), path).toBe(banner);
      expect(cached.text.includes("googletagmanager"), path).toBe(analytics && path !== "/cookie-policy");
      expect(listCookies(cached), path).toEqual(listCookies(rendered));
    }
  });

  it("are never confused under concurrent requests", async () => {
    const answers = await Promise.all(
      // As many as the render queue accepts from one client.
      Array.from({ length: 49 }, async (_, i) => {
        const [name, headers, expected] = variants[i % variants.length] ?? ["", {}, { banner: true, analytics: false }];
        const { text } = await get(i % 2 ? "/value" : "/scale", headers);
        return { name, found: { banner: hasBanner(text), analytics: text.includes("googletagmanager") }, expected };
      }),
    );
    for (const { name, found, expected } of answers) expect(found, name).toEqual(expected);
  });
});

/** Renders the page for this request only: its URL has an invalid notice. */
function render(path: string, headers?: Record<string, string>) {
  return get(`${path}?${noticeParameter}=x`, headers);
}

function get(path: string, headers?: Record<string, string>, method?: string) {
  return requestRaw(product.url + path, headers, method);
}

/** Removes the data for a page's scripts, which contain the request's id and the key of an empty form. */
function withoutData(path: string, html: string): string {
  return scriptedPaths.includes(path) ? html.replace(/streamController\.enqueue\(.*/, "") : html;
}

/** Lists the cookies that a response sets or clears. */
function listCookies({ headers }: RawResponse): string[] {
  return headers.getSetCookie();
}

/** Lists every source that a page's policy allows, in order. */
function readPolicy({ headers }: { headers: Headers }): string[] {
  return (headers.get("content-security-policy") ?? "").split(/[ ;]+/).toSorted();
}

/** Returns the policy that a rendered page would have with the scripts of this one. */
function policyFor(rendered: RawResponse, html: string): string[] {
  const before = hashScripts(rendered.text);
  return [...readPolicy(rendered).filter((source) => !before.includes(source)), ...hashScripts(html)].toSorted();
}
