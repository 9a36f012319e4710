import { type IncomingMessage, request } from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { consentVersion, cookies } from "~/content/facts";
import { type ConsentDecision, formatDecision } from "~/lib/consent";
import { publicPaths, scriptedPaths } from "../support/page-source";
import { type Product, startProduct } from "../support/product";
import { Visitor, filledContactForm } from "../support/visitor";
import { choose, hasBanner } from "./support/consent";

/** Only what is rendered for one request names it; what comes from memory has a tag. */
const fromMemory = ({ headers }: { headers: Headers }) => headers.has("etag") && !headers.has("x-request-id");

/** Headers that belong to one answer, and those of the cookie by which {@link render} gets a page of its own. */
const onlyRendered = new Set(["date", "x-request-id", "vary", "transfer-encoding", "set-cookie", "cache-control"]);

const keptPaths = publicPaths.filter((path) => !scriptedPaths.includes(path));
let product: Product;

beforeAll(async () => {
  product = await startProduct({ GA_MEASUREMENT_ID: "G-ABC123DEF4" });
  const isWarm = async () => expect(await (await fetch(`${product.url}/readyz`)).text()).toContain('"pages":"warm"');
  await vi.waitFor(isWarm, { timeout: 60_000, interval: 200 });
});

afterAll(async () => {
  await product.stop();
});

const withoutDate = ({ headers }: { headers: Headers }) => [...headers].filter(([name]) => name !== "date");

describe("a page in memory", () => {
  it("is the very page that would be rendered, on every path, in every encoding", async () => {
    for (const path of keptPaths) {
      const rendered = await render(path);
      expect(fromMemory(rendered), path).toBe(false);
      for (const encoding of ["br", "gzip", "identity"]) {
        const kept = await get(path, { "Accept-Encoding": encoding });
        expect(fromMemory(kept), path).toBe(true);
        expect(kept.headers.get("content-encoding"), path).toBe(encoding === "identity" ? null : encoding);
        expect(kept.text, path).toBe(rendered.text);
        expect(Number(kept.headers.get("content-length")), path).toBe(kept.bytes);
        for (const [name, value] of rendered.headers) {
          if (onlyRendered.has(name)) continue;
          expect(kept.headers.get(name), `${path}: ${name}`).toBe(value);
        }
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
    expect(headers.get("cache-control")).toBe("private, no-cache");
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

const decided = (changes: Partial<ConsentDecision>) => ({
  Cookie: `${cookies.consentPreference.name}=${formatDecision({
    analytics: false,
    marketing: false,
    version: consentVersion,
    source: "banner",
    decidedAt: "2026-11-20T10:00:00.000Z",
    recordId: "a".repeat(32),
    unsavedTextHash: null,
    ...changes,
  })}`,
});

describe("a page's few forms", () => {
  const forms: [string, Record<string, string>, { banner: boolean; analytics: boolean }][] = [
    ["nothing said", {}, { banner: true, analytics: false }],
    ["closed", { Cookie: `${cookies.consentBanner.name}=closed` }, { banner: false, analytics: false }],
    ["refused", decided({}), { banner: false, analytics: false }],
    ["allowed", decided({ analytics: true, marketing: true }), { banner: false, analytics: true }],
    ["analytics only", decided({ analytics: true }), { banner: false, analytics: true }],
    ["by a signal", decided({ source: "signal" }), { banner: false, analytics: false }],
    ["a foreign cookie", { Cookie: "theme=dark; tracking=42" }, { banner: true, analytics: false }],
  ];

  it.each(forms)("are what is rendered for one: %s", async (_name, headers, { banner, analytics }) => {
    await get("/about", headers);
    await expect.poll(async () => fromMemory(await get("/about", headers)), { timeout: 10_000 }).toBe(true);
    const kept = await get("/about", headers);
    const rendered = await render("/about", headers);
    expect(kept.text).toBe(rendered.text);
    expect(kept.headers.get("content-security-policy")).toBe(rendered.headers.get("content-security-policy"));
    expect(hasBanner(kept.text)).toBe(banner);
    expect(kept.text.includes("googletagmanager")).toBe(analytics);
  });

  it("are never mixed up, however many ask at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 140 }, async (_, i) => {
        const [name, headers, expected] = forms[i % forms.length] ?? ["", {}, { banner: true, analytics: false }];
        const { text } = await get(i % 2 ? "/value" : "/scale", headers);
        return { name, found: { banner: hasBanner(text), analytics: text.includes("googletagmanager") }, expected };
      }),
    );
    for (const { name, found, expected } of answers) expect(found, name).toEqual(expected);
  });
});

describe("what is one visitor's own is never kept", () => {
  it.each<[string, string, Record<string, string>]>([
    ["a query", "/about?from=mail", {}],
    ["a page with scripts", "/contact", {}],
    ["a signal that is to be stored", "/about", { "Sec-GPC": "1" }],
    ["the older signal", "/about", { DNT: "1" }],
    ["a message for one", "/about", { Cookie: `${cookies.flash.name}=x` }],
    ["a cookie that must be removed", "/about", { Cookie: "_ga=GA1.1.1" }],
    ["an address that is written otherwise", "/About", {}],
    ["a page that does not exist", "/no-such-page", {}],
    ["the firm's own pages", "/login", {}],
  ])("%s", async (_name, path, headers) => {
    for (let i = 0; i < 3; i++) expect(fromMemory(await get(path, headers))).toBe(false);
  });

  it("a choice that was made for an older text, or that waits to be saved, or that is nonsense", async () => {
    const name = cookies.consentPreference.name;
    const older = formatDecision({
      analytics: true,
      marketing: true,
      version: `${consentVersion}-old`,
      source: "banner",
      decidedAt: "2026-11-20T10:00:00.000Z",
      recordId: "a".repeat(32),
      unsavedTextHash: null,
    });
    for (const value of [older, older.slice(0, 20), "%00", "{}", ""]) {
      const { text } = await get("/about", { Cookie: `${name}=${value}` });
      expect(text, value).not.toContain("googletagmanager");
      expect(hasBanner(text), value).toBe(true);
    }
  });

  it("the cookie policy of a visitor who has chosen, which shows when", async () => {
    const [first, second] = [new Visitor(product.url), new Visitor(product.url)];
    await choose(first, "accept");
    await choose(second, "reject");
    for (const visitor of [first, second, first]) expect(fromMemory(await visitor.get("/cookie-policy"))).toBe(false);
    expect(fromMemory(await new Visitor(product.url).get("/cookie-policy"))).toBe(true);
  });

  it("what a visitor has just been told: nobody else sees it, and they see it once", async () => {
    const sender = new Visitor(product.url);
    const sent = await sender.post("/contact", filledContactForm);
    const path = sent.headers.get("location") ?? "";
    // Whatever page comes next shows it, and the same page for another visitor does not.
    const flash = sender.cookie(cookies.flash.name);
    expect(flash).toBeDefined();
    const told = await sender.get("/about");
    expect(told.html).toContain("Message Sent!");
    expect(path).not.toBe("");
    for (const visitor of [new Visitor(product.url), sender]) {
      const { html } = await visitor.get("/about");
      expect(html).not.toContain("Message Sent!");
    }
  });

  it("a choice in a hurry: two visitors alternate and each sees only their own state", async () => {
    const [allows, refuses, silent] = [new Visitor(product.url), new Visitor(product.url), new Visitor(product.url)];
    await choose(allows, "accept");
    await choose(refuses, "reject");
    for (const visitor of [allows, refuses]) await visitor.get("/about");
    for (let i = 0; i < 10; i++) {
      const seen = await Promise.all(
        [allows, refuses, silent].map(async (visitor) => (await visitor.get("/about")).html),
      );
      expect(seen.map((html) => html.includes("googletagmanager"))).toEqual([true, false, false]);
      expect(seen.map((html) => hasBanner(html))).toEqual([false, false, true]);
    }
  });
});

it("knows no host but its own: a forged one changes nothing and poisons nothing", async () => {
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

/** The page as it is rendered for this one request: it brings a flash, which is empty. */
function render(path: string, { Cookie, ...headers }: Record<string, string> = {}) {
  const flash = `${cookies.flash.name}=x`;
  return get(path, { ...headers, Cookie: Cookie === undefined ? flash : `${Cookie}; ${flash}` });
}

/** Asks exactly this: `fetch` chooses Host and Accept-Encoding itself, and hides what was compressed. */
async function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  const sent = request(product.url + path, { method, headers });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const body = await buffer(response);
  const found = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct)) {
    for (const value of values ?? []) found.append(name, value);
  }
  found.delete("connection");
  found.delete("keep-alive");
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[found.get("content-encoding") ?? ""];
  const text = (decode && body.length > 0 ? decode(body) : body).toString();
  return { status: response.statusCode ?? 0, headers: found, bytes: body.length, text };
}
