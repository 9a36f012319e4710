import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { company } from "~/content/company";
import {
  findTag,
  publicPaths,
  readMeta,
  readStructuredData,
  readTexts,
  unlistedPaths,
} from "../../support/page-source";
import { startSite, type TestSite } from "../../support/site";
import { Visitor, readText } from "../../support/visitor";

const siteUrl = "https://firm.example";
const servicePaths = ["/startups", "/small-business", "/growth-stage", "/enterprises", "/build", "/scale", "/value"];
/** Returns true for a placeholder that the firm must still replace. */
const isMissing = (fact: string) => fact.startsWith("[") || fact.endsWith(".example");
let product: TestSite;
let visitor: Visitor;
let now = Date.parse("2027-12-31T12:00:00Z");
/** markup of each public page */
const pages = new Map<string, string>();

beforeAll(async () => {
  product = await startSite({ SITE_URL: siteUrl }, { now: () => now });
  visitor = new Visitor(product.url);
  for (const path of publicPaths) pages.set(path, (await visitor.get(path)).html);
});
afterAll(async () => {
  await product.stop();
});

describe("search engines", () => {
  it("find exactly the public pages in the sitemap, which robots.txt names", async () => {
    const { html: xml, headers } = await visitor.get("/sitemap.xml");
    expect(headers.get("content-type")).toMatch(/^application\/xml/);
    const addresses = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
    expect(addresses).toEqual(publicPaths.map((path) => siteUrl + path));

    const dated = [...xml.matchAll(/<loc>([^<]+)<\/loc><lastmod>([^<]+)<\/lastmod>/g)];
    expect(dated.map(([, address]) => address?.replace(siteUrl, "")).toSorted()).toEqual([
      "/cookie-policy",
      "/privacy-policy",
      "/terms-of-service",
    ]);
    for (const [, , day = ""] of dated) expect(day).toMatch(/^20\d\d-\d\d-\d\d$/);

    const robots = await visitor.get("/robots.txt");
    expect(robots.headers.get("content-type")).toMatch(/^text\/plain/);
    const lines = robots.html.split("\n");
    expect(lines).toContain(`Sitemap: ${siteUrl}/sitemap.xml`);
    for (const path of ["/admin", "/login", "/logout"]) expect(lines).toContain(`Disallow: ${path}`);
    expect(lines.filter((line) => line.startsWith("Disallow"))).toHaveLength(3);
  });

  it("exclude the firm's own pages", async () => {
    const { html } = await visitor.get("/login");
    expect(unlistedPaths).toContain("/login");
    expect(readMeta(html, "robots")).toBe("noindex");
    expect(findTag(html, "link", { rel: "canonical" })).toBeUndefined();
    expect(readMeta(html, "og:image")).toBeUndefined();
    for (const [path, page] of pages) expect(readMeta(page, "robots"), path).toBeUndefined();
  });

  it("read each page's topic and its language, American English", () => {
    for (const [path, html] of pages) {
      expect(readMeta(html, "og:locale"), path).toBe("en_US");
      const documents = readStructuredData(html);
      expect(documents, path).toHaveLength(1);
      const things = documents[0]?.["@graph"] ?? [];
      const types = things.map((thing) => thing["@type"]);
      expect(types.includes("BreadcrumbList"), path).toBe(path !== "/");
      expect(types.includes("Service"), path).toBe(servicePaths.includes(path));
      expect(types.includes("Person"), path).toBe(path === "/about" && !isMissing(company.founder.name));
      for (const missing of [company.founder.name, company.email].filter(isMissing))
        expect(JSON.stringify(things), path).not.toContain(missing);
      expect(types.includes("WebSite"), path).toBe(path === "/");
      expect(types).not.toContain("ProfessionalService");
      expect(types.includes("Organization"), path).toBe(["/", "/about", ...servicePaths].includes(path));
      // Every referenced thing is described in the same document.
      const ids = things.map((thing) => thing["@id"]);
      const referred = things.flatMap((thing) => {
        const to = (thing.provider ?? thing.worksFor ?? thing.publisher) as { "@id": string } | undefined;
        return to ? [to["@id"]] : [];
      });
      expect(ids, path).toEqual(expect.arrayContaining(referred));
    }
  });
});

describe("link previews", () => {
  it("have a title, a text and a picture of their own", async () => {
    const pictures = new Set<string>();
    for (const [path, html] of pages) {
      for (const name of ["og:title", "og:description", "og:image:alt", "twitter:title", "twitter:image:alt"])
        expect(readMeta(html, name), `${name} of ${path}`).toBeTruthy();
      expect(readMeta(html, "twitter:card")).toBe("summary_large_image");
      expect(readMeta(html, "og:type")).toBe("website");
      const address = readMeta(html, "og:image") ?? "";
      expect(readMeta(html, "twitter:image")).toBe(address);
      expect(address.startsWith(`${siteUrl}/share/`), address).toBe(true);
      const picture = await readPicture(address.slice(siteUrl.length));
      expect(picture, path).toMatchObject({ status: 200, type: "image/png", width: 1200, height: 630 });
      expect(picture.bytes, path).toBeLessThanOrEqual(60_000);
      pictures.add(picture.hash);
    }
    expect(pictures.size).toBe(publicPaths.length);
  });

  it("get 404 for a missing picture", async () => {
    expect((await readPicture("/share/none.png")).status).toBe(404);
  });
});

describe("icons", () => {
  it("exist in every size that the manifest and the pages name", async () => {
    const answer = await visitor.get("/site.webmanifest");
    expect(answer.headers.get("content-type")).toMatch(/^application\/manifest\+json/);
    const manifest = JSON.parse(answer.html) as { icons: { src: string; sizes: string; purpose?: string }[] };
    const { html } = await visitor.get("/");
    expect(findTag(html, "link", { rel: "manifest" })?.attributes.href).toBe("/site.webmanifest");
    expect(findTag(html, "link", { rel: "apple-touch-icon" })?.attributes.href).toBe("/apple-touch-icon.png");
    for (const { src, sizes } of [...manifest.icons, { src: "/apple-touch-icon.png", sizes: "180x180" }]) {
      const { status, width, height } = await readPicture(src);
      expect([status, `${width}x${height}`], src).toEqual([200, sizes]);
    }
    expect(manifest.icons.filter(({ purpose }) => purpose === "maskable")).toHaveLength(2);
    expect((await visitor.get("/favicon.ico")).headers.get("content-type")).toBe("image/x-icon");
    expect((await visitor.get("/favicon.svg")).headers.get("content-type")).toBe("image/svg+xml");
  });
});

describe("a URL with stray characters at its end", () => {
  it.each([
    "/about.",
    "/about,",
    "/about)",
    "/about%3E",
    "/about%E2%80%9D.",
    "/about%E2%80%8B",
    "/about%C2%A0",
    "/ab%C2%ADout",
  ])("%s redirects to the page", async (path) => {
    for (const query of ["", "?cookie-preferences=open"]) {
      const { status, headers } = await visitor.get(path + query);
      expect([status, headers.get("location")]).toEqual([308, `/about${query}`]);
    }
  });

  it("shows the 404 page if there is no such page", async () => {
    const { headers } = await visitor.get("/no-such-page).");
    const { status, html } = await visitor.get(headers.get("location") ?? "");
    expect([status, readTexts(html, "h1")[0]]).toEqual([404, "Oops! Page not found"]);
  });
});

describe("password managers", () => {
  it("find the page for changing the password behind sign-in, and no other well-known address", async () => {
    const { status, headers } = await visitor.get("/.well-known/change-password");
    expect([status, headers.get("location")]).toEqual([303, "/admin/account#password"]);
    expect(
      (await visitor.get("/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200")).status,
    ).toBe(404);
  });
});

describe("security.txt", () => {
  it("has the fields of RFC 9116", async () => {
    const { status, headers, html } = await visitor.get("/.well-known/security.txt");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const fields = html
      .trimEnd()
      .split("\n")
      .map((line) => /^([A-Za-z-]+): (\S.*)$/.exec(line)?.slice(1) ?? [line, ""]);
    const values = (name: string) => fields.filter(([key]) => key === name).map(([, value]) => value);
    // Mail to a placeholder address would reach no one.
    const contact = isMissing(company.email) ? `${siteUrl}/contact` : `mailto:${company.email}`;
    expect(values("Contact")).toEqual([contact]);
    expect(values("Canonical")).toEqual([`${siteUrl}/.well-known/security.txt`]);
    expect(values("Preferred-Languages")).toEqual(["en"]);
    const [expires, ...others] = values("Expires");
    expect(others).toEqual([]);
    expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it("never expires while the site runs, and pages name the new year", async () => {
    for (const year of [2027, 2028]) {
      const { html } = await visitor.get("/.well-known/security.txt");
      const [, expires = ""] = /^Expires: (.*)$/m.exec(html) ?? [];
      const days = (Date.parse(expires) - now) / 86_400_000;
      expect(days, expires).toBeGreaterThan(333);
      expect(days, expires).toBeLessThan(336);
      expect(readText((await visitor.get("/about")).html)).toContain(`© ${year}`);
      now += 86_400_000;
    }
  });
});

describe("all of these files", () => {
  it("are cacheable for a while and carry the security headers", async () => {
    for (const path of ["/sitemap.xml", "/robots.txt", "/site.webmanifest", "/.well-known/security.txt"]) {
      const { headers } = await visitor.get(path);
      expect(headers.get("cache-control"), path).toMatch(/max-age=[1-9]/);
      expect(headers.get("content-security-policy"), path).toContain("default-src 'none'");
      expect(headers.get("set-cookie"), path).toBeNull();
    }
  });
});

/** Reads a picture's size from the beginning of a PNG's first chunk (PNG specification, IHDR). */
async function readPicture(path: string) {
  const response = await fetch(product.url + path);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isPng = bytes.subarray(1, 4).toString() === "PNG";
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    width: isPng ? bytes.readUInt32BE(16) : 0,
    height: isPng ? bytes.readUInt32BE(20) : 0,
    bytes: bytes.byteLength,
    hash: createHash("sha256").update(bytes).digest("hex"),
  };
}
