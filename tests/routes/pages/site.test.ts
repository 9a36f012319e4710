import { beforeAll, describe, expect, it } from "vitest";
import { newSecretToken } from "#supabase/functions/_shared/secret-token.ts";
import { company } from "~/content/company";
import { sitePages } from "~/content/site-pages";
import {
  findScripts,
  findTag,
  findTags,
  publicPaths,
  readMeta,
  readStructuredData,
  readTexts,
  unlistedPaths,
} from "../../support/page-source";
import { testAdmin } from "../../support/site";
import { type Answer, type Visitor, readText } from "../../support/visitor";
import { useSite } from "../support/world";

const siteUrl = "https://firm.example";
const own = { Origin: siteUrl };
const allPaths = [...publicPaths, ...unlistedPaths];
/** Things that a page describes to search engines beside the way to it. */
const described: Record<string, string[]> = { "/": ["Organization", "WebSite"], "/about": ["Organization"] };
for (const path of "/startups /small-business /growth-stage /enterprises /build /scale /value".split(" "))
  described[path] = ["Service", "Organization"];

const site = useSite({ SITE_URL: siteUrl });
let visitor: Visitor;
/** every page of the site, fetched once by an admin */
const pages = new Map<string, Answer>();
const page = (path: string): string => pages.get(path)?.html ?? "";

beforeAll(async () => {
  visitor = site.visitor();
  await visitor.post("/login", testAdmin, own);
  // The first page after sign-in shows a notice that the others do not.
  await visitor.get("/");
  for (const path of allPaths) pages.set(path, await visitor.get(path));
});

describe("every page", () => {
  it("is a required one", () => {
    const required = [
      "/ /startups /small-business /growth-stage /enterprises /build /scale /value /about /contact /investors",
      "/privacy-policy /terms-of-service /cookie-policy /data-rights /accessibility /login /login/forgotten /network /admin",
    ];
    expect(allPaths.toSorted()).toEqual(required.join(" ").split(" ").toSorted());
  });

  it.each(allPaths)("%s responds with 200 and the headers and head of its kind", (path) => {
    const { status, headers, html } = pages.get(path)!;
    const isListed = publicPaths.includes(path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    // A CDN that may transform a page obfuscates email addresses.
    const isPrivate = path === "/admin" || path === "/network";
    expect(headers.get("cache-control")).toBe(isPrivate ? "no-store, no-transform" : "private, no-cache, no-transform");
    expect(headers.get("speculation-rules")).toBe(isListed ? '"/rules.json"' : null);
    expect(readMeta(html, "robots")).toBe(isListed ? undefined : "noindex");
    expect(findTag(html, "link", { rel: "canonical" })?.attributes.href).toBe(isListed ? siteUrl + path : undefined);
    expect(readMeta(html, "og:url")).toBe(isListed ? siteUrl + path : undefined);
    const types = readStructuredData(html).flatMap((document) => document["@graph"].map((thing) => thing["@type"]));
    const trail = isListed && path !== "/" ? ["BreadcrumbList"] : [];
    expect(types).toEqual([...(described[path] ?? []), ...trail]);
  });

  it.each(publicPaths)("%s says on paper where it came from", (path) => {
    expect(readTexts(page(path), "p")).toContain(`Vital Line Advisory · ${siteUrl}${path}`);
  });

  it.each(allPaths)("%s has landmarks, a language, and headings and lists in order", (path) => {
    expect(findTag(page(path), "html", { lang: "en" })).toBeDefined();
    for (const landmark of ["header", "main", "footer"])
      expect(findTags(page(path), landmark).length, landmark).toBeGreaterThanOrEqual(1);
    const levels = findTags(page(path), "h1", "h2", "h3", "h4", "h5", "h6").map(({ name }) => Number(name.slice(1)));
    for (const [at, level] of levels.entries()) expect(level).toBeLessThanOrEqual((levels[at - 1] ?? 0) + 1);
    // Text browsers number lists themselves.
    expect(page(path)).not.toMatch(/<ol\b[^>]*>\s*<li\b[^>]*>\s*<span\b[^>]*>1</);
    for (const { attributes } of findTags(page(path), "a"))
      expect(attributes.href).toMatch(/^(\/|#|\?|https:\/\/|mailto:|tel:)/);
  });

  it("has one h1 and one title, both unique, and a description that fits a search result", () => {
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

  it("has the headline of its share image", () => {
    for (const { path, headline } of sitePages) expect(readTexts(page(path), "h1"), path).toEqual([headline]);
  });

  it("links only to pages, files and anchors that exist", async () => {
    const answers = new Map(pages);
    const broken: string[] = [];
    for (const path of allPaths) {
      for (const address of findAddresses(page(path))) {
        const target = new URL(address, siteUrl + path);
        if (target.origin !== siteUrl) continue;
        const answer = answers.get(target.pathname) ?? (await visitor.get(target.pathname));
        answers.set(target.pathname, answer);
        const anchor = decodeURIComponent(target.hash.slice(1));
        const hasAnchor = anchor === "" || findTags(answer.html).some(({ attributes }) => attributes.id === anchor);
        if (answer.status !== 200 || !hasAnchor) broken.push(`${path} → ${address} (${answer.status})`);
      }
    }
    expect(broken).toEqual([]);
  });
});

const linksOf = (html: string) =>
  ["header", "footer"].map((part) => readTexts(html.slice(html.indexOf(`<${part}`), html.indexOf(`</${part}>`)), "a"));

it.each(["/login", "/login/forgotten", `/login/password?token=${newSecretToken()}`])(
  "%s has the header and the footer of all pages",
  async (path) => {
    const { html } = await site.get(path);
    expect(linksOf(html)).toEqual(linksOf(page("/about")));
  },
);

describe("an error page", () => {
  const tooLarge = { message: "x".repeat(300_000) };
  it.each<[number, string, string, () => Promise<Answer>]>([
    [404, "a missing page", "Oops! Page not found", () => visitor.get("/no-such-page")],
    [404, "a request that does not exist", "Oops! Page not found", () => visitor.get("/admin/requests/nonsense")],
    [400, "an invalid post", "We couldn’t read that", () => visitor.post("/consent", {}, own)],
    [403, "a foreign post", "That came from another site", () => visitor.post("/contact", {}, { Origin: "null" })],
    [405, "a post without a form", "That doesn’t work here", () => visitor.post("/", {}, own)],
    [413, "a post that is too large", "That is too large", () => visitor.post("/contact", tooLarge, own)],
  ])("responds %d to %s under a title that names the problem", async (status, _case, title, send) => {
    const { headers, html, ...answer } = await send();
    expect(answer.status).toBe(status);
    expect(readTexts(html, "title")).toEqual([`${title} | ${company.name}`]);
    expect(headers.get("cache-control")).toMatch(/^(private, no-cache|no-store), no-transform$/);
    expect(findTag(html, "link", { rel: "canonical" })).toBeUndefined();
    expect(headers.get("speculation-rules")).toBeNull();
    const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
    expect(findTag(main, "a", { href: "/build" }) !== undefined).toBe(status === 404);
  });

  it("for an unknown path links home, runs one script of this site, and logs only a known section", async () => {
    for (const path of ["/no-such-page", "/startups/more", "/wp-login.php", "/%f0%9f%8d%8e"]) {
      const { status, html, headers } = await visitor.get(`${path}?token=secret-of-a-visitor`);
      expect(status, path).toBe(404);
      expect(readText(html)).toContain("404 Oops! Page not found");
      expect(findTag(html, "a", { href: "/" })).toBeDefined();
      expect(findScripts(html).map(({ attributes }) => attributes.src)).toEqual(["/not-found.js"]);
      expect(headers.get("content-security-policy")).toMatch(/script-src 'self'(;|$)/);
    }
    expect((await visitor.get("/not-found.js")).headers.get("content-type")).toMatch(/javascript/);
    await expect.poll(listMissingPaths).toEqual(new Set(["/startups", "(other)"]));
    for (const typed of ["secret-of-a-visitor", "no-such-page", "wp-login"]) expect(site.output()).not.toContain(typed);
  });
});

/** Lists the paths of missing pages from the log, which is written a few times a second. */
function listMissingPaths(): Set<string> {
  const lines = site.output().split("\n");
  const events = lines.filter((line) => line.includes('"page.not-found"'));
  return new Set(events.map((line) => (JSON.parse(line) as { path: string }).path));
}

/** Finds every URL that a page links to or loads. */
function findAddresses(html: string): string[] {
  return findTags(html)
    .filter(({ name, attributes }) => !(name === "link" && attributes.rel === "canonical"))
    .flatMap(({ name, attributes: { href, src, action } }) => [href, src, name === "form" ? undefined : action])
    .filter((address): address is string => address !== undefined && !/^(mailto|tel|data):/.test(address));
}
