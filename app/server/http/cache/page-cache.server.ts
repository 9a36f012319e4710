import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppLoadContext } from "@remix-run/node";
import { sitePages } from "~/content/site-pages";
import { addressesWithQuery, keptQuery } from "~/lib/pages/kept-query";
import { type Log, describeError } from "../../observability/log.server";
import { type CachedResponse, type Compression, type SentPage, createCachedResponse } from "./cached-response.server";
import { createEncodingChoice } from "./content-encoding.server";
import {
  type FindPageVariant,
  type PageChoice,
  type PageVariant,
  readRequest,
  saysNothing,
} from "./page-choice.server";

/** Renders a page of the site as a visitor with these headers gets it. */
export type RenderPage = (path: string, headers: Headers, context?: AppLoadContext) => Promise<Response>;

/** Answers whole pages from memory. */
export interface PageCache {
  /** @returns what was sent and under which route, or null when the request has to go on */
  respond(request: IncomingMessage, response: ServerResponse): SentFromMemory | null;
  /** As `respond`, for a path that no route knows. */
  respondMissing(request: IncomingMessage, response: ServerResponse): SentFromMemory | null;
  /** Renders the home page as a first visit gets it. */
  prepareHome(): Promise<void>;
  /** Renders every page as a first visit gets it, one after the other. */
  warmUp(): Promise<void>;
}

/** What was sent. */
export interface SentFromMemory {
  sent: SentPage | Promise<SentPage>;
  /** the page's path, as it is logged and counted */
  route: string;
}

/** What a cache is made of. */
export interface PageCacheDependencies {
  render: RenderPage;
  findVariant: FindPageVariant;
  /** of every answer, by name */
  defaultHeaders: Record<string, string>;
  compression: Compression;
  /** current day at the firm, an ISO date */
  today: () => string;
  log: Log;
}

/** Addresses of ours that are the same for everybody and no pages. */
const filePaths = [
  "/robots.txt",
  "/sitemap.xml",
  "/site.webmanifest",
  "/.well-known/security.txt",
  "/.well-known/gpc.json",
  "/rules.json",
];
const forEverybody: PageChoice = { variant: { name: "file", headers: {} }, setCookies: [] };

/** A path that no route knows: what it gets is kept for all others like it. */
const missingPath = "/404";

/**
 * Keeps what is the same for everybody, or for everybody who has chosen the same: each page is rendered once a variant,
 * compressed as well as can be, and then answered ahead of the framework. Nothing that a stranger sends is ever part of a
 * key: there are as many entries as pages and variants, and a page has another one for each query that it reads. What sets a cookie is never kept.
 */
export function createPageCache(dependencies: PageCacheDependencies): PageCache {
  const { render, findVariant, defaultHeaders, compression, today, log } = dependencies;
  const pages = new Map<string, CacheEntry>();
  for (const address of [...sitePages.map(({ path }) => path), "/login", ...addressesWithQuery])
    pages.set(address, createEntry(address, findVariant));
  for (const path of filePaths)
    pages.set(
      path,
      createEntry(path, () => forEverybody),
    );
  const missing = createEntry(missingPath, findVariant, 404);
  const chooseEncoding = createEncodingChoice(["br", "gzip", "identity"]);
  let keptDay = today();

  async function fill({ address, status, variants, filling }: CacheEntry, variant: PageVariant): Promise<void> {
    if (filling.has(variant.name) || variants.has(variant.name)) return;
    filling.add(variant.name);
    const madeOn = keptDay;
    try {
      const page = await render(address, new Headers(variant.headers), { isForCache: true });
      if (page.status === status && !page.headers.has("Set-Cookie")) {
        const isForEverybody = variant === forEverybody.variant;
        const cached = await createCachedResponse(page, { defaultHeaders, isForEverybody, compression });
        if (madeOn === keptDay) variants.set(variant.name, cached);
        filling.delete(variant.name);
      } else {
        // Left marked, so that it is never tried again: this variant cannot be cached.
        await page.body?.cancel();
      }
    } catch (error) {
      filling.delete(variant.name);
      log.error({ event: "page-cache.failed", path: address, ...describeError(error) });
    }
  }

  /** Pages hold the year, and security.txt a date; a server may run for years. */
  function forgetYesterday() {
    const day = today();
    if (day === keptDay) return;
    keptDay = day;
    for (const { variants } of [...pages.values(), missing]) variants.clear();
  }

  function respondWith(
    page: CacheEntry,
    query: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): SentFromMemory | null {
    if (request.method !== "GET" && request.method !== "HEAD") return null;
    forgetYesterday();
    const choice =
      query === "" && saysNothing(request) ? page.firstVisit : page.findVariant(readRequest(page.path, query, request));
    if (choice === null) return null;
    const cached = page.variants.get(choice.variant.name);
    if (cached === undefined) {
      void fill(page, choice.variant);
      return null;
    }
    const encoding = chooseEncoding(request.headers["accept-encoding"]);
    const { setCookies, prepare } = choice;
    const send = (more: readonly string[] = []) =>
      cached.respond(request, response, encoding, more.length === 0 ? setCookies : [...setCookies, ...more]);
    return { sent: prepare === undefined ? send() : prepare().then(send), route: page.route };
  }

  return {
    respond(request, response) {
      const { url = "" } = request;
      const page = pages.get(url);
      if (page !== undefined) return respondWith(page, "", request, response);
      const queryStart = url.indexOf("?");
      if (queryStart === -1) return null;
      const [path, query] = [url.slice(0, queryStart), url.slice(queryStart)];
      const asked = pages.get(path + keptQuery(path, query));
      // An empty query has the address without it as its canonical form.
      if (asked === undefined || query === "?") return null;
      return respondWith(asked, query, request, response);
    },
    respondMissing(request, response) {
      const { url = "" } = request;
      const queryStart = url.indexOf("?");
      return respondWith(missing, queryStart === -1 ? "" : url.slice(queryStart), request, response);
    },
    async prepareHome() {
      const home = pages.get("/");
      if (home?.firstVisit) await fill(home, home.firstVisit.variant);
    },
    async warmUp() {
      for (const page of [...pages.values(), missing]) if (page.firstVisit) await fill(page, page.firstVisit.variant);
    },
  };
}

interface CacheEntry {
  /** as it is rendered: the path, and the query where it reads one */
  readonly address: string;
  readonly path: string;
  readonly route: string;
  readonly status: number;
  readonly findVariant: FindPageVariant;
  /** found once, since most requests are the first of their visitors */
  readonly firstVisit: PageChoice | null;
  /** by the variant's name */
  readonly variants: Map<string, CachedResponse>;
  /** names of variants that are being rendered, or are known to be uncacheable */
  readonly filling: Set<string>;
}

function createEntry(address: string, findVariant: FindPageVariant, status = 200): CacheEntry {
  const [path = ""] = address.split("?", 1);
  const firstVisit = findVariant({
    method: "GET",
    path,
    query: "",
    headers: { get: () => null },
    host: "",
    address: "",
    peerAddress: "",
  });
  const route = status === 404 ? "/*" : path;
  return { address, path, route, status, findVariant, firstVisit, variants: new Map(), filling: new Set() };
}
