import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cookies } from "~/content/cookie-registry";
import { noticeParameter } from "~/lib/pages/notice-parameter";
import { publicPaths, scriptedPaths } from "../../support/page-source";
import { type TestSite, startSite } from "../../support/site";
import { hasBanner } from "../support/consent";
import { type RawAnswer, askRaw, decided, hashScripts, isFromMemory } from "../support/raw-answer";

/** Headers that belong to one answer. */
const onlyRendered = new Set(["date", "x-request-id", "vary", "content-length", "set-cookie", "cache-control"]);

const keptPaths = [...publicPaths, "/login"];
let product: TestSite;

beforeAll(async () => {
  product = await startSite({ GA_MEASUREMENT_ID: "G-ABC123DEF4" }, { isWarm: true });
});

afterAll(async () => {
  await product.stop();
});

const withoutDate = ({ headers }: { headers: Headers }) => [...headers].filter(([name]) => name !== "date");

describe("a page in memory", () => {
  it("is the very page that would be rendered, on every path, in every encoding", async () => {
    for (const path of keptPaths) {
      const rendered = await render(path);
      expect(isFromMemory(rendered), path).toBe(false);
      for (const encoding of ["br", "gzip", "identity"]) {
        const kept = await get(path, { "Accept-Encoding": encoding });
        expect(isFromMemory(kept), path).toBe(true);
        expect(kept.headers.get("content-encoding"), path).toBe(encoding === "identity" ? null : encoding);
        expect(withoutData(path, kept.text), path).toBe(withoutData(path, rendered.text));
        expect(Number(kept.headers.get("content-length")), path).toBe(kept.bytes);
        for (const [name, value] of rendered.headers) {
          if (onlyRendered.has(name) || name === "content-security-policy") continue;
          expect(kept.headers.get(name), `${path}: ${name}`).toBe(value);
        }
        expect(readPolicy(kept), path).toEqual(policyFor(rendered, kept.text));
      }
    }
  });

  it("is not sent again to whoever has it, in that encoding and no other", async () => {
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

  it("answers HEAD with the headers of GET and nothing behind them", async () => {
    const [head, whole] = [
      await get("/about", { "Accept-Encoding": "br" }, "HEAD"),
      await get("/about", { "Accept-Encoding": "br" }),
    ];
    expect([head.status, head.bytes]).toEqual([200, 0]);
    expect(withoutDate(head)).toEqual(withoutDate(whole));
  });

  it("tells caches on the way what it depends on, and lets them keep it for nobody else", async () => {
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
  ])("is sent as Accept-Encoding %s allows", async (accepted, encoding) => {
    const { headers } = await get("/", { "Accept-Encoding": accepted });
    expect(headers.get("content-encoding")).toBe(encoding);
  });
});

const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();

describe("a page's few forms", () => {
  const forms: [string, Record<string, string>, { banner: boolean; analytics: boolean }][] = [
    ["nothing said", {}, { banner: true, analytics: false }],
    ["closed", { Cookie: `${cookies.consentBanner.name}=closed` }, { banner: false, analytics: false }],
    ["refused", decided({}), { banner: false, analytics: false }],
    ["allowed", decided({ analytics: true, marketing: true }), { banner: false, analytics: true }],
    ["analytics only", decided({ analytics: true }), { banner: false, analytics: true }],
    ["by a signal", decided({ source: "signal" }), { banner: false, analytics: false }],
    ["by a signal that is sent", { ...decided({ source: "signal" }), DNT: "1" }, { banner: false, analytics: false }],
    ["a signal at first", { "Sec-GPC": "1" }, { banner: false, analytics: false }],
    ["allowed, and Do Not Track", { ...decided({ analytics: true }), DNT: "1" }, { banner: false, analytics: true }],
    [
      "allowed under Global Privacy Control",
      { ...decided({ analytics: true, underGpc: true }), "Sec-GPC": "1" },
      { banner: false, analytics: true },
    ],
    ["allowed too long ago", decided({ analytics: true, decidedAt: ago(183) }), { banner: true, analytics: false }],
    ["allowed months ago", decided({ analytics: true, decidedAt: ago(100) }), { banner: false, analytics: true }],
    ["older words", decided({ version: "0.9" }), { banner: true, analytics: false }],
    ["a foreign cookie", { Cookie: "theme=dark; tracking=42" }, { banner: true, analytics: false }],
  ];

  it.each(forms)("are what is rendered for one: %s", async (_name, headers, { banner, analytics }) => {
    // The policy has the dialog with the choice, and no analytics; the contact form both.
    for (const path of ["/about", "/contact", "/cookie-policy"]) {
      await get(path, headers);
      await expect.poll(async () => isFromMemory(await get(path, headers)), { timeout: 10_000 }).toBe(true);
      const kept = await get(path, headers);
      const rendered = await render(path, headers);
      expect(isFromMemory(rendered), path).toBe(false);
      expect(withoutData(path, kept.text), path).toBe(withoutData(path, rendered.text));
      expect(readPolicy(kept), path).toEqual(policyFor(rendered, kept.text));
      expect(hasBanner(kept.text), path).toBe(banner);
      expect(kept.text.includes("googletagmanager"), path).toBe(analytics && path !== "/cookie-policy");
      expect(listCookies(kept), path).toEqual(listCookies(rendered));
    }
  });

  it("are never mixed up, however many ask at once", async () => {
    const answers = await Promise.all(
      // As many as the render queue takes of one client.
      Array.from({ length: 49 }, async (_, i) => {
        const [name, headers, expected] = forms[i % forms.length] ?? ["", {}, { banner: true, analytics: false }];
        const { text } = await get(i % 2 ? "/value" : "/scale", headers);
        return { name, found: { banner: hasBanner(text), analytics: text.includes("googletagmanager") }, expected };
      }),
    );
    for (const { name, found, expected } of answers) expect(found, name).toEqual(expected);
  });
});

/** The page as it is rendered for this one request: its address brings a message, which is none. */
function render(path: string, headers?: Record<string, string>) {
  return get(`${path}?${noticeParameter}=x`, headers);
}

function get(path: string, headers?: Record<string, string>, method?: string) {
  return askRaw(product.url + path, headers, method);
}

/** The data that a page's scripts read name the request that it was rendered for, and the key of an empty form. */
function withoutData(path: string, html: string): string {
  return scriptedPaths.includes(path) ? html.replace(/streamController\.enqueue\(.*/, "") : html;
}

/** The cookies that an answer sets or clears. */
function listCookies({ headers }: RawAnswer): string[] {
  return headers.getSetCookie();
}

/** Every source that a page's policy allows, in order. */
function readPolicy({ headers }: { headers: Headers }): string[] {
  return (headers.get("content-security-policy") ?? "").split(/[ ;]+/).toSorted();
}

/** What the policy of a rendered page would be with the scripts that stand in this one. */
function policyFor(rendered: RawAnswer, html: string): string[] {
  const before = hashScripts(rendered.text);
  return [...readPolicy(rendered).filter((source) => !before.includes(source)), ...hashScripts(html)].toSorted();
}
