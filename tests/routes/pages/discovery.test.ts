import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { company } from "~/content/company";
import { findTag, publicPaths, readMeta } from "../../support/page-source";
import { readText } from "../../support/visitor";
import { useSite } from "../support/world";

const siteUrl = "https://firm.example";
let now = Date.parse("2027-12-31T12:00:00Z");
const product = useSite({ SITE_URL: siteUrl }, { now: () => now });

it.each([
  ["/robots.txt", "text/plain; charset=utf-8", 3_600],
  ["/sitemap.xml", "application/xml; charset=utf-8", 3_600],
  ["/site.webmanifest", "application/manifest+json", 3_600],
  ["/.well-known/security.txt", "text/plain; charset=utf-8", 86_400],
  ["/.well-known/gpc.json", "application/json", 86_400],
  ["/rules.json", "application/speculationrules+json", 86_400],
])("%s is %s, cacheable for %d seconds, and sets no cookie", async (path, type, seconds) => {
  const { status, headers } = await product.get(path);
  expect([status, headers.get("content-type")]).toEqual([200, type]);
  expect(headers.get("cache-control")).toBe(`public, max-age=${seconds}`);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("set-cookie")).toBeNull();
});

describe("search engines", () => {
  it("find exactly the public pages in the sitemap, with the dates of the legal texts", async () => {
    const { html: xml } = await product.get("/sitemap.xml");
    const addresses = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address);
    expect(addresses).toEqual(publicPaths.map((path) => siteUrl + path));
    const dated = [...xml.matchAll(/<loc>([^<]+)<\/loc><lastmod>(20\d\d-\d\d-\d\d)<\/lastmod>/g)];
    const legal = ["/cookie-policy", "/privacy-policy", "/terms-of-service"].map((path) => siteUrl + path);
    expect(dated.map(([, address]) => address).toSorted()).toEqual(legal);
  });

  it("read in robots.txt the sitemap's address and the paths to leave out", async () => {
    const lines = (await product.get("/robots.txt")).html.split("\n");
    expect(lines).toContain(`Sitemap: ${siteUrl}/sitemap.xml`);
    const disallowed = lines.filter((line) => line.startsWith("Disallow"));
    expect(disallowed).toEqual(["/admin", "/login", "/logout"].map((path) => `Disallow: ${path}`));
  });
});

describe("pictures", () => {
  it("for link previews are one for each page, with its text", async () => {
    const pictures = new Set<string>();
    for (const path of publicPaths) {
      const { html } = await product.get(path);
      for (const name of ["og:title", "og:description", "og:image:alt", "twitter:title", "twitter:image:alt"])
        expect(readMeta(html, name), `${name} of ${path}`).toBeTruthy();
      const address = readMeta(html, "og:image") ?? "";
      expect(readMeta(html, "twitter:image")).toBe(address);
      const picture = await readPicture(address.replace(siteUrl, ""));
      expect(picture, path).toMatchObject({ status: 200, type: "image/png", size: "1200x630" });
      expect(picture.bytes, path).toBeLessThanOrEqual(60_000);
      pictures.add(picture.hash);
    }
    expect(pictures.size).toBe(publicPaths.length);
    expect((await readPicture("/share/none.png")).status).toBe(404);
  });

  it("for icons exist in every size that the manifest and the pages name", async () => {
    const manifest = JSON.parse((await product.get("/site.webmanifest")).html) as {
      icons: { src: string; sizes: string; purpose?: string }[];
    };
    const { html } = await product.get("/");
    expect(findTag(html, "link", { rel: "manifest" })?.attributes.href).toBe("/site.webmanifest");
    expect(findTag(html, "link", { rel: "apple-touch-icon" })?.attributes.href).toBe("/apple-touch-icon.png");
    for (const { src, sizes } of [...manifest.icons, { src: "/apple-touch-icon.png", sizes: "180x180" }])
      expect(await readPicture(src), src).toMatchObject({ status: 200, size: sizes });
    expect(manifest.icons.filter(({ purpose }) => purpose === "maskable")).toHaveLength(2);
    expect((await product.get("/favicon.ico")).headers.get("content-type")).toBe("image/x-icon");
    expect((await product.get("/favicon.svg")).headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
  });
});

it("leads password managers to the page for changing the password, and to no other well-known address", async () => {
  const { status, headers } = await product.get("/.well-known/change-password");
  expect([status, headers.get("location")]).toEqual([303, "/admin/account#password"]);
  const probe = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";
  expect((await product.get(probe)).status).toBe(404);
});

it("declares its support of Global Privacy Control", async () => {
  const { html } = await product.get("/.well-known/gpc.json");
  expect(JSON.parse(html)).toEqual({ gpc: true, lastUpdate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
});

it("lets browsers prefetch public pages without a query, and links to the contact form", async () => {
  const pages = publicPaths.map((pathname) => ({ pathname, search: "" }));
  const contact = { pathname: "/contact", search: "from=*" };
  expect(JSON.parse((await product.get("/rules.json")).html)).toEqual({
    prefetch: [{ where: { href_matches: [...pages, contact] }, eagerness: "moderate" }],
  });
});

it("names the new year on pages, and moves the expiry of security.txt (RFC 9116) with the day", async () => {
  // Mail to a placeholder address would reach no one.
  const contact = company.email.endsWith(".example") ? `${siteUrl}/contact` : `mailto:${company.email}`;
  for (const [year, expires] of [
    [2027, "2028-12-01T00:00:00Z"],
    [2028, "2028-12-01T00:00:00Z"],
    [2028, "2028-12-02T00:00:00Z"],
  ]) {
    expect((await product.get("/.well-known/security.txt")).html.split("\n")).toEqual([
      `Contact: ${contact}`,
      `Expires: ${expires}`,
      "Preferred-Languages: en",
      `Canonical: ${siteUrl}/.well-known/security.txt`,
      "",
    ]);
    expect(readText((await product.get("/about")).html)).toContain(`© ${year}`);
    now += 86_400_000;
  }
});

/** Reads a picture's size from the beginning of a PNG's first chunk (PNG specification, IHDR). */
async function readPicture(path: string) {
  const response = await fetch(product.url + path);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isPng = bytes.subarray(1, 4).toString() === "PNG";
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    size: isPng ? `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}` : null,
    bytes: bytes.byteLength,
    hash: createHash("sha256").update(bytes).digest("hex"),
  };
}
