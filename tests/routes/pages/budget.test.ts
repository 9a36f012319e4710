import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { contactVariants } from "~/lib/pages/relevant-query";
import { ask } from "../../support/ask.mjs";
import { findScripts, findTags, publicPaths, scriptedPaths } from "../../support/page-source";
import { useSharedSite } from "../support/world";

/** Fits the first flight of a new connection (RFC 6928: ten segments). */
const firstFlightBytes = 14_000;
const fontBytes = 32_000;
const paths = [...publicPaths, ...contactVariants, "/login"];

const product = useSharedSite();
const pages = new Map<string, string>();
const files = new Map<string, Buffer>();

beforeAll(async () => {
  for (const path of paths) pages.set(path, (await product.get(path)).html);
});

describe.each(paths)("the weight of %s", (path) => {
  const page = () => pages.get(path) ?? "";

  it("fits the first round trip with styles and response headers", async () => {
    expect(await weigh(path)).toBeLessThanOrEqual(firstFlightBytes);
  });

  it("includes no script in attributes, nor any other unless the page has a form", () => {
    const html = page();
    const names = findTags(html).flatMap(({ attributes }) => Object.keys(attributes));
    expect(names.filter((name) => /^on[a-z]/.test(name))).toEqual([]);
    expect(html).not.toMatch(/javascript:/i);
    if (scriptedPaths.includes(path.replace(/\?.*/, ""))) return;
    expect(findScripts(html)).toEqual([]);
    expect([...findLinks(html, "rel", "modulepreload"), ...findLinks(html, "as", "script")]).toEqual([]);
  });

  it("includes no style sheet that blocks the first paint", () => {
    const sheets = findLinks(page(), "rel", "stylesheet");
    expect(sheets.filter(({ attributes }) => attributes.media !== "print")).toEqual([]);
  });

  it("preloads the two core fonts, which hold every letter of the page", async () => {
    const html = page();
    const addresses = findLinks(html, "as", "font").map(({ attributes }) => attributes.href ?? "");
    expect(new Set(addresses)).toEqual(new Set((await readStyles(html)).flatMap(findCoreFonts)));
    const sizes = await Promise.all(addresses.map(async (address) => (await load(address)).byteLength));
    expect(sizes).toHaveLength(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(fontBytes);
    const text = html.replace(/<(style|script)[^>]*>.*?<\/\1>/gs, "").replace(/<[^>]*>|&\w+;/g, "");
    expect(text.match(/[^\n -~\u00a0§©·×\u2011-\u2014\u2018-\u201d•…]/gu)).toBeNull();
  });
});

/**
 * Weighs the whole response of a first visit on the wire. Production compresses pages in memory at the best level, but
 * test sites do not, so this compresses the body again.
 */
async function weigh(path: string): Promise<number> {
  const port = Number(new URL(product.url).port);
  const fetchCached = async () => {
    const answer = await ask(port, { path, headers: { "Accept-Encoding": "br" } });
    return answer.headers.includes("ETag") ? answer : null;
  };
  const { bytes, body } = await vi.waitUntil(fetchCached, { timeout: 60_000 });
  return bytes - body.byteLength + brotliCompressSync(brotliDecompressSync(body)).byteLength;
}

function findLinks(html: string, name: string, value: string) {
  return findTags(html, "link").filter(({ attributes }) => attributes[name] === value);
}

/** Reads all styles of a page, inline and linked. */
async function readStyles(html: string): Promise<string[]> {
  const inline = [...html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g)].map(([, css = ""]) => css);
  const linked = findLinks(html, "rel", "stylesheet");
  const loaded = await Promise.all(linked.map(({ attributes }) => load(attributes.href ?? "")));
  return [...inline, ...loaded.map(String)];
}

/** Finds the web fonts of a sheet that hold the space. */
function findCoreFonts(css: string): string[] {
  const faces = css.matchAll(/@font-face\{[^}]*url\(["']?([^"')]+\.woff2)[^}]*\}/g);
  return [...faces].flatMap(([face, address = ""]) => (face.includes("unicode-range:U+20-") ? [address] : []));
}

async function load(path: string): Promise<Buffer> {
  const known = files.get(path);
  if (known) return known;
  const response = await fetch(product.url + path);
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  const content = Buffer.from(await response.arrayBuffer());
  files.set(path, content);
  return content;
}
