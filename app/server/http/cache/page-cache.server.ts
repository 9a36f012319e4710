import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppLoadContext } from "@remix-run/node";
import { sitePages } from "~/content/site-pages";
import type { HeaderReader } from "~/lib/http/header-reader";
import { type Log, describeError } from "../../observability/log.server";
import { type CachedResponse, type SentPage, createCachedResponse } from "./cached-response.server";
import { createEncodingChoice } from "./content-encoding.server";

/** One cacheable variant of a page. */
export interface PageVariant {
  name: string;
  /** the `Cookie` header of a request that gets it; it holds nothing of any person */
  cookie: string | null;
}

/** Decides which variant a request gets; null when it must be rendered for this request alone. */
export type FindPageVariant = (path: string, headers: HeaderReader) => PageVariant | null;

/** Renders a page of the site as a visitor with these headers gets it. */
export type RenderPage = (path: string, headers: Headers, context?: AppLoadContext) => Promise<Response>;

/** Answers whole pages from memory. */
export interface PageCache {
  /** @returns what was sent, or null when the request has to go on to the framework */
  respond(request: IncomingMessage, response: ServerResponse): SentPage | null;
  /** Renders every page as a first visit gets it, one after the other. */
  warmUp(): Promise<void>;
}

/** What a cache is made of. */
export interface PageCacheDependencies {
  render: RenderPage;
  findVariant: FindPageVariant;
  /** of every answer, by name */
  defaultHeaders: Record<string, string>;
  /** milliseconds since 1970 */
  now: () => number;
  log: Log;
}

/**
 * Keeps the public pages that are the same for everybody: each is rendered once a variant, compressed as well as can be,
 * and then answered ahead of the framework. What sets a cookie is never kept.
 */
export function createPageCache({ render, findVariant, defaultHeaders, now, log }: PageCacheDependencies): PageCache {
  const paths = [...sitePages.map(({ path }) => path), "/login"];
  const pages = new Map(paths.map((path) => [path, createEntry(path, findVariant(path, noHeaders))]));
  const chooseEncoding = createEncodingChoice(["br", "gzip", "identity"]);
  let year = new Date(now()).getUTCFullYear();
  let yearEnds = Date.UTC(year + 1, 0);

  async function fill({ path, variants, filling }: CacheEntry, variant: PageVariant): Promise<void> {
    if (filling.has(variant.name)) return;
    filling.add(variant.name);
    const madeIn = year;
    try {
      const page = await render(path, new Headers(variant.cookie === null ? {} : { Cookie: variant.cookie }));
      if (page.status === 200 && !page.headers.has("Set-Cookie")) {
        const cached = await createCachedResponse(page, defaultHeaders);
        if (madeIn === year) variants.set(variant.name, cached);
        filling.delete(variant.name);
      } else {
        // Left marked, so that it is never tried again: this variant cannot be cached.
        await page.body?.cancel();
      }
    } catch (error) {
      filling.delete(variant.name);
      log.error({ event: "page-cache.failed", path, ...describeError(error) });
    }
  }

  /** The copyright line holds the year, and a server may run for years. */
  function forgetOldYear() {
    if (now() < yearEnds) return;
    year = new Date(now()).getUTCFullYear();
    yearEnds = Date.UTC(year + 1, 0);
    for (const { variants } of pages.values()) variants.clear();
  }

  return {
    respond(request, response) {
      const page = pages.get(request.url ?? "");
      if (page === undefined || (request.method !== "GET" && request.method !== "HEAD")) return null;
      forgetOldYear();
      const headers = readVariantHeaders(request);
      const variant = headers === noHeaders ? page.firstVisit : findVariant(page.path, headers);
      if (variant === null) return null;
      const cached = page.variants.get(variant.name);
      if (cached === undefined) {
        void fill(page, variant);
        return null;
      }
      return cached.respond(request, response, chooseEncoding(request.headers["accept-encoding"]));
    },
    async warmUp() {
      for (const page of pages.values()) if (page.firstVisit) await fill(page, page.firstVisit);
    },
  };
}

interface CacheEntry {
  readonly path: string;
  /** found once, since most requests are the first of their visitors */
  readonly firstVisit: PageVariant | null;
  /** by the variant's name */
  readonly variants: Map<string, CachedResponse>;
  /** names of variants that are being rendered, or are known to be uncacheable */
  readonly filling: Set<string>;
}

function createEntry(path: string, firstVisit: PageVariant | null): CacheEntry {
  return { path, firstVisit, variants: new Map(), filling: new Set() };
}

const noHeaders: HeaderReader = { get: () => null };

/** The headers by which a page's variant is found. */
function readVariantHeaders({ headers }: IncomingMessage): HeaderReader {
  if (headers.cookie === undefined && headers.dnt === undefined && headers["sec-gpc"] === undefined) return noHeaders;
  return {
    get(name) {
      const value = headers[name];
      return typeof value === "string" ? value : null;
    },
  };
}
