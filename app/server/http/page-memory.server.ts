import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppLoadContext } from "@remix-run/node";
import { ownSegments, sitePages } from "~/content/site-pages";
import { type HeaderReader, readHeader } from "~/lib/http/header-reader";
import { loggablePath } from "~/lib/http/loggable-path";
import { addressesWithQuery, relevantQuery } from "~/lib/pages/relevant-query";
import { describeError } from "../observability/log.server";
import { type RouteMatcher, notFoundPattern } from "../observability/route-pattern.server";
import type { SiteContext } from "../site-context.server";
import { type Compression, type SendCached, prepareCached } from "./cached-response.server";
import { createEncodingChoice } from "./content-encoding.server";
import type { Exchange, Step } from "./exchange.server";
import { type RequestFailures, sendText } from "./refusals.server";

/** Renders a page of the site for a visitor with these headers. */
export type RenderPage = (path: string, headers: Headers, context?: AppLoadContext) => Promise<Response>;

/** The parts of a request on which a page may depend. */
export interface PageRequest {
  method: string;
  /** path of the page that is sent; /404 for every missing page */
  path: string;
  /** with its question mark; empty when absent */
  query: string;
  headers: HeaderReader;
  /** requested host, with its port */
  host: string;
  /** requested path and query; cookies may belong to the folder of a page that no longer exists */
  address: string;
}

/**
 * Chooses the variant of a cached page for a visitor.
 * @returns null if the page must be rendered for this request
 */
export type FindVariant = (request: PageRequest) => Choice | null;

/** A page's variant for one visitor. */
export interface Choice {
  /** identifies the variant among those of a page */
  readonly key: string;
  /** as loaders receive it; its fields have few possible values and no personal data */
  readonly variant: AppLoadContext["consent"];
  /** `Set-Cookie` values for this visitor alone */
  readonly setCookies: readonly string[];
}

/** Rendered pages, cached in memory. */
export type PageMemory = ReturnType<typeof createPageMemory>;

/** Parts of a site that the cache uses beside the context. */
export interface PageMemoryParts {
  /** false in development, where each request renders its page; only the busy page is cached then */
  cachesPages: boolean;
  render: RenderPage;
  /** paths of the operator's own pages at this moment, each with its route pattern */
  listOwnPages: () => readonly { path: string; route: string }[];
  findVariant: FindVariant;
  /** Headers of every response, by name. */
  defaultHeaders: Record<string, string>;
  compression: Compression;
  failures: Pick<RequestFailures, "end">;
}

/** Generated files, the same for every visitor. */
const filePaths = [
  "/robots.txt",
  "/sitemap.xml",
  "/site.webmanifest",
  "/.well-known/security.txt",
  "/.well-known/gpc.json",
  "/rules.json",
];

/** The page for every path without a route. */
const missingPath = "/404";

const retryAfter = { "Retry-After": "5" };
const busyText = "Too many people are here at once. Nothing was saved. Try again in a few seconds.\n";

/**
 * Creates the cache. Each variant of a page is rendered and compressed once, and then sent without the framework. The
 * key is the page's address and the variant's. It contains nothing that a client sends, so the number of entries
 * is limited to pages times variants.
 */
export function createPageMemory(
  { log, metrics, clock: { today } }: Pick<SiteContext, "log" | "metrics" | "clock">,
  { cachesPages, render, listOwnPages, findVariant, defaultHeaders, compression, failures }: PageMemoryParts,
) {
  const pageAddresses = [...sitePages.map(({ path }) => path), "/login", ...addressesWithQuery];
  const pages = new Map(pageAddresses.map((address) => [address, createPage(address, findVariant)]));
  for (const path of filePaths) pages.set(path, createPage(path, null));
  const missing = createPage(missingPath, findVariant);
  let ownPaths: readonly string[] = [];
  const shared = { compression, chooseEncoding: createEncodingChoice() };
  let cachedDay = today();
  /** counts the times that the cache was cleared: a page that was begun before is not kept */
  let clearings = 0;
  /** Rendered in advance, for times when the site cannot render. */
  let busy: SendCached | null = null;

  /** Clears the cache on a new day: pages contain the year, security.txt a date, and a server may run for years. */
  function clearOnNewDay(): void {
    if (today() === cachedDay) return;
    cachedDay = today();
    clear();
  }

  function clear(): void {
    clearings += 1;
    for (const { cached } of [...pages.values(), missing]) cached.clear();
    for (const path of ownPaths) pages.delete(path);
    const own = listOwnPages();
    for (const { path, route } of own) pages.set(path, { ...createPage(path, findVariant), route });
    ownPaths = own.map(({ path }) => path);
  }

  /** @returns null when the page has an unusual status or sets a cookie: that response is for one request alone */
  async function renderPage(page: Page, consent: AppLoadContext["consent"]): Promise<SendCached | null> {
    const rendered = await render(page.address, new Headers(), { consent, isForCache: true });
    if (rendered.status === page.status && !rendered.headers.has("Set-Cookie"))
      return prepareCached(rendered, { ...shared, defaultHeaders, isForEverybody: page.findVariant === null });
    await rendered.body?.cancel();
    return null;
  }

  /** Renders and caches a variant. Concurrent requests share one render; the next request retries a failed one. */
  function renderAndCache(page: Page, { key, variant }: Choice): Promise<SendCached | null> {
    const pending = page.rendering.get(key);
    if (pending !== undefined) return pending;
    const begunAt = clearings;
    const rendering = renderPage(page, variant)
      .then((response) => {
        if (response !== null && begunAt === clearings) page.cached.set(key, response);
        return response;
      })
      .catch((error: unknown) => {
        log.error({ event: "page-memory.failed", path: page.address, ...describeError(error) });
        return null;
      })
      .finally(() => page.rendering.delete(key));
    page.rendering.set(key, rendering);
    return rendering;
  }

  function findPage(
    { method, url = "" }: IncomingMessage,
    findRoute: RouteMatcher,
  ): { page: Page; query: string } | null {
    if (!cachesPages || method === "POST") return null;
    const queryStart = url.indexOf("?");
    const [path, query] = queryStart === -1 ? [url, ""] : [url.slice(0, queryStart), url.slice(queryStart)];
    const page = pages.get(path + relevantQuery(path, query));
    if (page !== undefined) return { page, query };
    // Scripts request the data of a page (Remix, "single fetch"), and cannot read the page itself.
    if (path.endsWith(".data")) return null;
    return findRoute(url).pattern === notFoundPattern ? { page: missing, query } : null;
  }

  /** Creates the step that responds with a cached page, and renders the page first if it is not cached. */
  function respond(findRoute: RouteMatcher): Step {
    return (exchange, next) => {
      const { request, response, requestId } = exchange;
      const found = findPage(request, findRoute);
      const choice = found && choose(found.page, request, found.query);
      if (found === null || choice === null) return next();
      const { page } = found;
      clearOnNewDay();
      exchange.route = page.route;
      const send = (sendCached: SendCached) => {
        if (page === missing) logMissing(exchange);
        sendCached(request, response, choice.setCookies);
      };
      const cached = page.cached.get(choice.key);
      if (cached !== undefined) return send(cached);
      const respondLater = async () => {
        const rendered = await renderAndCache(page, choice);
        if (rendered === null) next();
        else send(rendered);
      };
      respondLater().catch((error: unknown) => failures.end(error, response, requestId));
    };
  }

  function logMissing({ request }: Exchange): void {
    log.info({ event: "page.not-found", path: loggablePath(`http://site${request.url}`, ownSegments) });
  }

  async function prepareBusy(): Promise<void> {
    try {
      // The root loader responds with 503 when the context has `isBusy` (app/root.tsx).
      const rendered = await render("/", new Headers(), { isBusy: true });
      const headers = { ...defaultHeaders, ...retryAfter };
      busy = await prepareCached(rendered, { ...shared, defaultHeaders: headers, isForEverybody: true });
    } catch (error) {
      log.error({ event: "busy-page.failed", ...describeError(error) });
    }
  }

  return {
    respond,
    /** Tells a visitor who finds the render queue full what to do, with 503 (RFC 9110, 15.6.4). */
    respondBusy(request: IncomingMessage, response: ServerResponse): void {
      metrics.countRefusal("renders");
      const isForScript = request.url?.split("?", 1)[0]?.endsWith(".data") ?? false;
      if (busy === null || isForScript) sendText(response, 503, busyText, retryAfter);
      else busy(request, response, []);
    },
    /** Forgets all pages, because their words changed. */
    clear,
    /** Caches the busy page, and then every page's variant for a first visit, one page after the other. */
    async warmUp(): Promise<void> {
      await prepareBusy();
      if (!cachesPages) return;
      for (const page of [...pages.values(), missing])
        if (page.firstVisit !== null) await renderAndCache(page, page.firstVisit);
    },
  };
}

interface Page {
  /** path, and the query if the page reads one */
  readonly address: string;
  readonly path: string;
  /** route pattern for the log and the metrics */
  readonly route: string;
  readonly status: number;
  /** null if the page is the same for every visitor */
  readonly findVariant: FindVariant | null;
  readonly firstVisit: Choice | null;
  readonly cached: Map<string, SendCached>;
  readonly rendering: Map<string, Promise<SendCached | null>>;
}

const forEverybody: Choice = { key: "", variant: undefined, setCookies: [] };

/** Chooses the variant for a request. Most have no query, cookie or signal, and get the variant of a first visit. */
function choose(page: Page, request: IncomingMessage, query: string): Choice | null {
  const { cookie, dnt, "sec-gpc": gpc } = request.headers;
  const isPlain = query === "" && cookie === undefined && dnt === undefined && gpc === undefined;
  if (isPlain || page.findVariant === null) return page.firstVisit;
  return page.findVariant(readRequest(page.path, query, request));
}

function createPage(address: string, findVariant: FindVariant | null): Page {
  const [path = ""] = address.split("?", 1);
  const isMissing = path === missingPath;
  const [route, status] = isMissing ? [notFoundPattern, 404] : [path, 200];
  const request = { method: "GET", path, query: "", headers: { get: () => null }, host: "", address: "" };
  const firstVisit = findVariant === null ? forEverybody : findVariant(request);
  return { address, path, route, status, findVariant, firstVisit, cached: new Map(), rendering: new Map() };
}

function readRequest(path: string, query: string, request: IncomingMessage): PageRequest {
  const { method = "", url = "", headers } = request;
  const get = (name: string) => readHeader(request, name);
  return { method, path, query, headers: { get }, host: headers.host ?? "", address: url };
}
