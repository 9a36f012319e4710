import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sitePages } from "~/content/site-pages";
import {
  findScripts,
  findTag,
  findTags,
  publicPaths,
  readMeta,
  readTexts,
  unlistedPaths,
} from "../../support/page-source";
import { startSite, testAdmin, type TestSite } from "../../support/site";
import { type Answer, Visitor, readText } from "../../support/visitor";

const siteUrl = "https://firm.example";
const allPaths = [...publicPaths, ...unlistedPaths];
let product: TestSite;
let visitor: Visitor;
/** every page of the site, fetched once */
const pages = new Map<string, Answer>();

const page = (path: string): string => pages.get(path)?.html ?? "";

beforeAll(async () => {
  product = await startSite({ SITE_URL: siteUrl });
  visitor = new Visitor(product.url);
  await visitor.post("/login", testAdmin, { Origin: siteUrl });
  // The first page after sign-in shows a notice that the others do not.
  await visitor.get("/");
  for (const path of allPaths) pages.set(path, await visitor.get(path));
});
afterAll(async () => {
  await product.stop();
});

describe("the pages", () => {
  it("are exactly the required ones and respond with 200", () => {
    expect(allPaths.toSorted()).toEqual(
      [
        "/ /startups /small-business /growth-stage /enterprises /build /scale /value /about /contact /investors",
        "/privacy-policy /terms-of-service /cookie-policy /data-rights /accessibility /login /login/forgotten /network /admin",
      ]
        .flatMap((line) => line.split(" "))
        .toSorted(),
    );
    expect(Object.fromEntries([...pages].map(([path, { status }]) => [path, status]))).toEqual(
      Object.fromEntries(allPaths.map((path) => [path, 200])),
    );
  });

  it("have one h1 and one title each, all unique, and a description that fits a search result", () => {
    for (const read of [
      (html: string) => readTexts(html, "h1"),
      (html: string) => readTexts(html.slice(0, html.indexOf("</head>")), "title"),
    ]) {
      const texts = allPaths.map((path) => read(page(path)));
      for (const [index, text] of texts.entries()) expect(text, allPaths[index]).toHaveLength(1);
      expect(new Set(texts.map(([text]) => text)).size).toBe(allPaths.length);
    }
    const descriptions = publicPaths.map((path) => readMeta(page(path), "description") ?? "");
    for (const [index, text] of descriptions.entries()) {
      expect(text.length, publicPaths[index]).toBeGreaterThanOrEqual(50);
      expect(text.length, publicPaths[index]).toBeLessThanOrEqual(160);
    }
    expect(new Set(descriptions).size).toBe(publicPaths.length);
  });

  it("show the same headline as their share image", () => {
    for (const { path, headline } of sitePages) expect(readTexts(page(path), "h1"), path).toEqual([headline]);
  });

  it("have landmarks, a language and headings in order", () => {
    for (const path of allPaths) {
      expect(findTag(page(path), "html", { lang: "en" }), path).toBeDefined();
      for (const landmark of ["header", "main", "footer"]) {
        expect(findTags(page(path), landmark).length, `${landmark} of ${path}`).toBeGreaterThanOrEqual(1);
      }
      let level = 0;
      for (const { name } of findTags(page(path), "h1", "h2", "h3", "h4", "h5", "h6")) {
        const next = Number(name.slice(1));
        expect(next, `${path}: ${name} after h${level}`).toBeLessThanOrEqual(level + 1);
        level = next;
      }
    }
  });
});

describe("links", () => {
  it("all work: every page, file and anchor of this site exists", async () => {
    const answers = new Map([...pages].map(([path, { status, html }]) => [path, { status, html }]));
    const visit = async (path: string) => {
      const known = answers.get(path) ?? (await visitor.get(path));
      answers.set(path, known);
      return known;
    };
    const broken: string[] = [];
    for (const path of allPaths) {
      for (const address of findAddresses(page(path))) {
        const target = new URL(address, siteUrl + path);
        if (target.origin !== siteUrl) continue;
        const { status, html } = await visit(target.pathname);
        const anchor = decodeURIComponent(target.hash.slice(1));
        const hasAnchor = anchor === "" || findTags(html).some(({ attributes }) => attributes.id === anchor);
        if (status !== 200 || !hasAnchor) broken.push(`${path} → ${address} (${status})`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("to other sites use https, mail or telephone", () => {
    for (const path of allPaths) {
      for (const { attributes } of findTags(page(path), "a")) {
        expect(attributes.href, path).toMatch(/^(\/|#|\?|https:\/\/|mailto:|tel:)/);
      }
    }
  });
});

/** Lists the paths of missing pages from the log, which is written a few times a second. */
function listMissingPaths(): Set<string> {
  const lines = product.output().split("\n");
  const events = lines.filter((line) => line.includes('"page.not-found"'));
  return new Set(events.map((line) => (JSON.parse(line) as { path: string }).path));
}

describe("an unknown path", () => {
  it("responds with 404 and a link home, and the log names only a known section of the site", async () => {
    for (const path of ["/no-such-page", "/startups/more", "/wp-login.php", "/%f0%9f%8d%8e"]) {
      const { status, html } = await visitor.get(`${path}?token=secret-of-a-visitor`);
      expect(status, path).toBe(404);
      expect(readTexts(html, "h1")).toEqual(["Oops! Page not found"]);
      expect(readText(html)).toContain("404 Oops! Page not found");
      expect(findTag(html, "a", { href: "/" })).toBeDefined();
      expect(findTag(html, "link", { rel: "canonical" })).toBeUndefined();
    }
    await expect.poll(listMissingPaths).toEqual(new Set(["/startups", "(other)"]));
    for (const typed of ["secret-of-a-visitor", "no-such-page", "wp-login"])
      expect(product.output()).not.toContain(typed);
  });

  it("runs a single script of this site, which reports to the browser's console", async () => {
    const { html, headers } = await visitor.get("/no-such-page");
    expect(findScripts(html).map(({ attributes }) => attributes.src)).toEqual(["/not-found.js"]);
    expect(headers.get("content-security-policy")).toMatch(/script-src 'self'(;|$)/);
    expect((await visitor.get("/not-found.js")).headers.get("content-type")).toMatch(/javascript/);
  });
});

it("forbids proxies to transform any page, including errors: a CDN would obfuscate email addresses", async () => {
  const answers = [
    ...pages,
    ["/no-such-page", await visitor.get("/no-such-page")],
    ["405", await visitor.post("/", {}, { Origin: siteUrl })],
    ["403", await visitor.post("/contact", {}, { Origin: "https://evil.example" })],
    ["400", await visitor.post("/contact", {}, { Origin: siteUrl })],
    ["413", await visitor.post("/contact", { message: "x".repeat(300_000) }, { Origin: siteUrl })],
  ] as const;
  for (const [name, { headers }] of answers) {
    expect(headers.get("content-type"), name).toContain("text/html");
    expect(headers.get("cache-control"), name).toMatch(/^(private, no-cache|no-store), no-transform$/);
  }
  // Other types keep their own header.
  for (const path of ["/robots.txt", "/contact.data"])
    expect((await visitor.get(path)).headers.get("cache-control"), path).not.toContain("no-transform");
});

describe("a forged Host", () => {
  const files = ["/sitemap.xml", "/robots.txt", "/.well-known/security.txt"];

  it("redirects to SITE_URL if it is another public name", async () => {
    for (const path of [...publicPaths, ...files, "/no-such-page"]) {
      const { status, location, html } = await getAs(path, "evil.example");
      expect([status, location, html], path).toEqual([308, siteUrl + path, ""]);
    }
  });

  it("changes no page: URLs come from SITE_URL", async () => {
    for (const path of [...publicPaths, ...files, "/no-such-page"]) {
      const { html } = await getAs(path, "evil.localhost");
      expect(html, path).not.toContain("evil.localhost");
      if (!publicPaths.includes(path)) continue;
      expect(findTag(html, "link", { rel: "canonical" })?.attributes.href, path).toBe(siteUrl + path);
      expect(readMeta(html, "og:url"), path).toBe(siteUrl + path);
    }
  });

  it("changes the canonical URL no more than a query does", async () => {
    const { html } = await visitor.get("/startups?utm_source=somewhere");
    expect(findTag(html, "link", { rel: "canonical" })?.attributes.href).toBe(`${siteUrl}/startups`);
  });
});

/** Finds every URL that a page links to or loads. */
function findAddresses(html: string): string[] {
  return findTags(html)
    .filter(({ name, attributes }) => !(name === "link" && attributes.rel === "canonical"))
    .flatMap(({ name, attributes }) => [
      attributes.href,
      attributes.src,
      name === "form" ? undefined : attributes.action,
    ])
    .filter((address): address is string => address !== undefined && !/^(mailto|tel|data):/.test(address));
}

/** Requests a page under another host, because `fetch` may not set Host. */
function getAs(path: string, host: string) {
  return new Promise<{ status?: number; location?: string; html: string }>((resolve, reject) => {
    const headers = { Host: host, "X-Forwarded-Host": host };
    request(product.url + path, { headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      const { statusCode: status, headers: answered } = response;
      response.on("end", () => resolve({ status, location: answered.location, html: body }));
    })
      .on("error", reject)
      .end();
  });
}
