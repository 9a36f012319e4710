import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { contactVariants } from "~/lib/pages/relevant-query";
import { ask } from "../../support/ask.mjs";
import { findScripts, findTags, publicPaths, scriptedPaths } from "../../support/page-source";
import type { RunningSite } from "../../support/product";
import { shareSite } from "../../support/shared-site";
import { Visitor } from "../../support/visitor";

/** Fits the first flight of a new connection (RFC 6928: ten segments). */
const firstFlightBytes = 14_000;
const fontBytes = 32_000;
const paths = [...publicPaths, ...contactVariants, "/login"];

let product: RunningSite;
const pages = new Map<string, string>();
const files = new Map<string, Buffer>();

beforeAll(async () => {
  product = await shareSite();
  const visitor = new Visitor(product.url);
  for (const path of paths) pages.set(path, (await visitor.get(path)).html);
});

describe("the weight of a page", () => {
  it("includes no script on any content page", () => {
    for (const [path, html] of pages) {
      const tags = findTags(html);
      expect(
        tags.filter(({ attributes }) => Object.keys(attributes).some((name) => /^on[a-z]/.test(name))),
        path,
      ).toEqual([]);
      expect(html, path).not.toMatch(/javascript:/i);
      if (scriptedPaths.includes(path.replace(/\?.*/, ""))) continue;
      expect(findScripts(html), path).toEqual([]);
      expect(
        tags.filter(({ attributes }) => attributes.rel === "modulepreload" || attributes.as === "script"),
        path,
      ).toEqual([]);
    }
  });

  it("fits the first round trip with styles and response headers", async () => {
    const sizes = await Promise.all(paths.map(async (path) => [path, await weigh(path)] as const));
    expect(sizes.filter(([, bytes]) => bytes > firstFlightBytes)).toEqual([]);
  });

  it("includes no style sheet that blocks the first paint", () => {
    for (const [path, html] of pages) {
      const sheets = findTags(html, "link").filter(({ attributes }) => attributes.rel === "stylesheet");
      expect(
        sheets.filter(({ attributes }) => attributes.media !== "print"),
        path,
      ).toEqual([]);
    }
  });

  it("preloads the two core fonts, which hold every letter of the page", async () => {
    for (const [path, html] of pages) {
      const preloaded = findTags(html, "link").filter(({ attributes }) => attributes.as === "font");
      const addresses = preloaded.map(({ attributes }) => attributes.href ?? "");
      const core = (await readStyles(html)).flatMap(findFonts).filter(({ isCore }) => isCore);
      expect(new Set(addresses), path).toEqual(new Set(core.map(({ address }) => address)));
      const sizes = await Promise.all(addresses.map(async (address) => (await load(address)).byteLength));
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      expect([addresses.length, bytes <= fontBytes], path).toEqual([2, true]);
      const text = html.replace(/<(style|script)[^>]*>.*?<\/\1>/gs, "").replace(/<[^>]*>|&\w+;/g, "");
      expect(text.match(/[^\n -~\u00a0§©·×\u2011-\u2014\u2018-\u201d•…]/gu), path).toBeNull();
    }
  });

  it("includes nothing from another host", async () => {
    for (const [path, html] of pages) {
      const fetched = findTags(html).flatMap(({ name, attributes }) => [
        attributes.src,
        attributes.srcset,
        attributes.poster,
        name === "link" && attributes.rel !== "canonical" ? attributes.href : undefined,
        name === "use" || name === "image" ? attributes.href : undefined,
      ]);
      const styled = (await readStyles(html)).flatMap((css) =>
        [...css.matchAll(/(?:url\(|@import\s+)["']?([^"')]+)/g)].map(([, address]) => address),
      );
      const foreign = [...fetched, ...styled].filter((address) => address && !/^(\/(?!\/)|data:|#)/.test(address));
      expect(foreign, path).toEqual([]);
    }
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

function findStylesheets(html: string): string[] {
  return findTags(html, "link").flatMap(({ attributes }) =>
    attributes.rel === "stylesheet" && attributes.href ? [attributes.href] : [],
  );
}

/** Reads all styles of a page, inline and linked. */
async function readStyles(html: string): Promise<string[]> {
  const inline = [...html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g)].map(([, css = ""]) => css);
  const linked = await Promise.all(findStylesheets(html).map(load));
  return [...inline, ...linked.map(String)];
}

/** Web fonts of a sheet; a core one holds the space. */
function findFonts(css: string): { address: string; isCore: boolean }[] {
  return [...css.matchAll(/@font-face\{[^}]*url\(["']?([^"')]+\.woff2)[^}]*\}/g)].map(([face, address = ""]) => ({
    address,
    isCore: face.includes("unicode-range:U+20-"),
  }));
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
