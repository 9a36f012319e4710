import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHandler } from "@remix-run/node";
import { sitePages } from "~/content/site-pages";
import type { HeaderReader } from "~/lib/header-reader";
import { describeError, logProblem } from "../../observability/log.server";
import { getSettings } from "../../config/settings.server";
import { chooseEncoding } from "./content-encoding.server";
import { type SentPage, type StoredPage, storePage } from "./cached-response.server";

/** One of the few forms that a page has for everybody. */
export interface PageVariant {
  name: string;
  /** the `Cookie` header of a request that gets it; it holds nothing of any person */
  cookie: string | null;
}

/** Decides which form a request gets; null when it must be rendered for this request alone. */
export type FindPageVariant = (path: string, headers: HeaderReader) => PageVariant | null;

/** Answers whole pages from memory. */
export interface PageCache {
  /** @returns what was sent, or null when the request has to go on to the framework */
  answer(request: IncomingMessage, response: ServerResponse): SentPage | null;
  /** Renders every page as a first visit gets it, one after the other. */
  warmUp(): Promise<void>;
}

/**
 * Keeps the public pages that are the same for everybody: each is rendered once a form, compressed as well as can be,
 * and then answered ahead of the framework. What sets a cookie is never kept.
 */
export function createPageCache(render: RequestHandler, findVariant: FindPageVariant): PageCache {
  const paths = [...sitePages.map(({ path }) => path), "/login"];
  const pages = new Map(paths.map((path) => [path, keepPage(path, findVariant(path, noHeaders))]));
  let year = new Date().getUTCFullYear();
  let yearEnds = Date.UTC(year + 1, 0);

  async function fill({ path, forms, filling }: KeptPage, variant: PageVariant): Promise<void> {
    if (filling.has(variant.name)) return;
    filling.add(variant.name);
    const madeIn = year;
    try {
      const headers = new Headers(variant.cookie === null ? {} : { Cookie: variant.cookie });
      const answer = await render(new Request(getSettings().siteUrl + path, { headers }), {});
      if (answer.status === 200 && !answer.headers.has("Set-Cookie")) {
        const page = await storePage(answer);
        if (madeIn === year) forms.set(variant.name, page);
        filling.delete(variant.name);
      } else {
        // It stays in `filling`: it would not be for all the next time either.
        await answer.body?.cancel();
      }
    } catch (error) {
      filling.delete(variant.name);
      logProblem({ event: "page-cache.failed", path, ...describeError(error) });
    }
  }

  return {
    answer(request, response) {
      const page = pages.get(request.url ?? "");
      if (page === undefined || (request.method !== "GET" && request.method !== "HEAD")) return null;
      forgetOldYear();
      const headers = readVariantHeaders(request);
      const variant = headers === noHeaders ? page.firstVisit : findVariant(page.path, headers);
      if (variant === null) return null;
      const form = page.forms.get(variant.name);
      if (form === undefined) {
        void fill(page, variant);
        return null;
      }
      return form.answer(request, response, chooseEncoding(request.headers["accept-encoding"]));
    },
    async warmUp() {
      for (const page of pages.values()) if (page.firstVisit) await fill(page, page.firstVisit);
    },
  };

  /** The copyright line holds the year, and a server may run for years. */
  function forgetOldYear() {
    if (Date.now() < yearEnds) return;
    year = new Date().getUTCFullYear();
    yearEnds = Date.UTC(year + 1, 0);
    for (const { forms } of pages.values()) forms.clear();
  }
}

interface KeptPage {
  readonly path: string;
  /** found once, since most requests are the first of their visitors */
  readonly firstVisit: PageVariant | null;
  /** by the variant's name */
  readonly forms: Map<string, StoredPage>;
  /** names of variants that are being rendered, or that were found to be nobody else's */
  readonly filling: Set<string>;
}

function keepPage(path: string, firstVisit: PageVariant | null): KeptPage {
  return { path, firstVisit, forms: new Map(), filling: new Set() };
}

const noHeaders: HeaderReader = { get: () => null };

/** The headers by which a page's form is found. */
function readVariantHeaders({ headers }: IncomingMessage): HeaderReader {
  if (headers.cookie === undefined && headers.dnt === undefined && headers["sec-gpc"] === undefined) return noHeaders;
  return {
    get(name) {
      const value = headers[name];
      return typeof value === "string" ? value : null;
    },
  };
}
