import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestHandler } from "@remix-run/node";
import { sitePages } from "~/content/site-pages";
import { describeError, logProblem } from "../log.server";
import { getSettings } from "../settings.server";
import { chooseEncoding } from "./content-encoding.server";
import { type SentPage, type StoredPage, storePage } from "./stored-page.server";

/** One of the few forms that a page has for everybody. */
export interface PageVariant {
  name: string;
  /** the `Cookie` header of a request that gets it; it holds nothing of any person */
  cookie: string | null;
}

/** Decides which form a request gets; null when it must be rendered for this request alone. */
export type FindPageVariant = (path: string, headers: Headers) => PageVariant | null;

/** Answers whole pages from memory. */
export interface PageCache {
  /** @returns what was sent, or null when the request has to go on to the framework */
  answer(request: IncomingMessage, response: ServerResponse): SentPage | null;
  /** Renders every page as a first visit gets it, one after the other. */
  warmUp(): Promise<void>;
}

const variantHeaders = ["cookie", "dnt", "sec-gpc"] as const;

/**
 * Keeps the public pages that are the same for everybody: each is rendered once a form, compressed as well as can be,
 * and then answered ahead of the framework. What sets a cookie is never kept.
 */
export function createPageCache(render: RequestHandler, findVariant: FindPageVariant): PageCache {
  const paths = new Set([...sitePages.map(({ path }) => path), "/login"]);
  const pages = new Map<string, StoredPage>();
  const filling = new Set<string>();
  let year = new Date().getUTCFullYear();

  async function fill(path: string, variant: PageVariant): Promise<void> {
    const key = `${path} ${variant.name}`;
    if (filling.has(key)) return;
    filling.add(key);
    const madeIn = year;
    try {
      const headers = new Headers(variant.cookie === null ? {} : { Cookie: variant.cookie });
      const answer = await render(new Request(getSettings().siteUrl + path, { headers }), {});
      if (answer.status === 200 && !answer.headers.has("Set-Cookie")) {
        const page = await storePage(answer);
        if (madeIn === year) pages.set(key, page);
        filling.delete(key);
      } else {
        // It stays in `filling`: it would not be for all the next time either.
        await answer.body?.cancel();
      }
    } catch (error) {
      filling.delete(key);
      logProblem({ event: "page-cache.failed", path, ...describeError(error) });
    }
  }

  return {
    answer(request, response) {
      const path = request.url ?? "";
      if (!paths.has(path) || (request.method !== "GET" && request.method !== "HEAD")) return null;
      forgetOldYear();
      const variant = findVariant(path, readVariantHeaders(request));
      if (variant === null) return null;
      const page = pages.get(`${path} ${variant.name}`);
      if (page === undefined) {
        void fill(path, variant);
        return null;
      }
      return page.answer(request, response, chooseEncoding(request.headers["accept-encoding"]));
    },
    async warmUp() {
      const firstVisit = findVariant("/", new Headers());
      if (firstVisit) for (const path of paths) await fill(path, firstVisit);
    },
  };

  /** The copyright line holds the year, and a server may run for years. */
  function forgetOldYear() {
    const now = new Date().getUTCFullYear();
    if (now === year) return;
    year = now;
    pages.clear();
  }
}

const noHeaders = new Headers();

/** The headers by which a page's form is found. */
export function readVariantHeaders(request: IncomingMessage): Headers {
  const { headers } = request;
  if (headers.cookie === undefined && headers.dnt === undefined && headers["sec-gpc"] === undefined) return noHeaders;
  const found = new Headers();
  for (const name of variantHeaders) {
    const value = headers[name];
    if (typeof value === "string") found.set(name, value);
  }
  return found;
}
