import type { IncomingMessage } from "node:http";
import type { AppLoadContext } from "@remix-run/node";
import { ownSegments, sitePages } from "~/content/site-pages";
import type { HeaderReader } from "~/lib/http/header-reader";
import { loggablePath } from "~/lib/http/loggable-path";
import { addressesWithQuery, keptQuery } from "~/lib/pages/kept-query";
import { type Log, describeError } from "../../observability/log.server";
import { type FindRoute, anyOther } from "../../observability/route-pattern.server";
import type { Exchange, Step } from "../edge/exchange.server";
import type { RequestFailures } from "../edge/request-failures.server";
import { createEncodingChoice } from "./content-encoding.server";
import { type Compression, type KeptResponse, createKeptResponse } from "./kept-response.server";

/** Renders a page of the site as a visitor with these headers gets it. */
export type RenderPage = (path: string, headers: Headers, context?: AppLoadContext) => Promise<Response>;

/** A request for a page, as far as the page may depend on it. */
export interface PageRequest {
  method: string;
  /** of the page that is sent, which is /404 for all that are not there */
  path: string;
  /** with its question mark; empty where there is none */
  query: string;
  headers: HeaderReader;
  /** that was asked for, with its port */
  host: string;
  /** that was asked for, path and query: cookies may have been set for the folder of a page that is no longer there */
  address: string;
}

/**
 * Decides what a page from memory shows a visitor.
 * @returns the page's variant as loaders take it, fields of few values that hold nothing of any person, and the
 *   `Set-Cookie` values for this visitor alone; null if the page must be rendered for this request
 */
export type FindVariant = (
  request: PageRequest,
) => { variant: AppLoadContext["consent"]; setCookies: readonly string[] } | null;

/** Pages in memory. */
export interface PageMemory {
  /** Creates the step that responds with a page from memory. It renders the page if memory has it not yet. */
  respond(findRoute: FindRoute): Step;
  /** Renders the home page as a first visit gets it. */
  prepareHome(): Promise<void>;
  /** Renders every page as a first visit gets it, one after the other. */
  warmUp(): Promise<void>;
}

/** Dependencies of the memory. */
export interface PageMemoryDependencies {
  render: RenderPage;
  findVariant: FindVariant;
  /** of every response, by name */
  defaultHeaders: Record<string, string>;
  compression: Compression;
  /** current day at the firm, an ISO date */
  today: () => string;
  log: Log;
  failures: Pick<RequestFailures, "end">;
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

/** The page of all paths that no route knows. */
const missingPath = "/404";

/**
 * Creates the memory. Each page is rendered once a variant, compressed as well as can be, and then sent ahead of the
 * framework. The key is the page's address and the variant as JSON. Nothing that a stranger sends becomes part of it, so
 * there are as many entries as pages and variants.
 */
export function createPageMemory(dependencies: PageMemoryDependencies): PageMemory {
  const { render, defaultHeaders, compression, today, log, failures } = dependencies;
  const pageAddresses = [...sitePages.map(({ path }) => path), "/login", ...addressesWithQuery];
  const pages = new Map(pageAddresses.map((address) => [address, createPage(address, dependencies.findVariant)]));
  for (const path of filePaths) pages.set(path, createPage(path, null));
  const missing = createPage(missingPath, dependencies.findVariant);
  const chooseEncoding = createEncodingChoice(["br", "gzip", "identity"]);
  let keptDay = today();

  /** Pages hold the year, and security.txt a date; a server may run for years. */
  function forgetYesterday(): void {
    if (today() === keptDay) return;
    keptDay = today();
    for (const { kept } of [...pages.values(), missing]) kept.clear();
  }

  /** @returns null when the page has another status than usual: that response is for one request alone */
  async function renderPage(page: Page, consent: AppLoadContext["consent"]): Promise<KeptResponse | null> {
    const rendered = await render(page.address, new Headers(), { consent, isForMemory: true });
    if (rendered.status === page.status && !rendered.headers.has("Set-Cookie"))
      return createKeptResponse(rendered, { defaultHeaders, isForEverybody: page.findVariant === null, compression });
    await rendered.body?.cancel();
    return null;
  }

  /** Keeps a variant of a page. Requests that come meanwhile wait for the same one; what failed is tried again. */
  function keep(page: Page, { key, variant }: Choice): Promise<KeptResponse | null> {
    const begun = page.rendering.get(key);
    if (begun !== undefined) return begun;
    const madeOn = keptDay;
    const rendering = renderPage(page, variant)
      .then((response) => {
        if (response !== null && madeOn === keptDay) page.kept.set(key, response);
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

  function find({ url = "" }: IncomingMessage, findRoute: FindRoute): { page: Page; query: string } | null {
    const queryStart = url.indexOf("?");
    const [path, query] = queryStart === -1 ? [url, ""] : [url.slice(0, queryStart), url.slice(queryStart)];
    const page = pages.get(path + keptQuery(path, query));
    if (page !== undefined) return { page, query };
    // Scripts ask for the data of a page (Remix, "single fetch"), and could not read the page itself.
    if (path.endsWith(".data")) return null;
    return findRoute(url).pattern === anyOther ? { page: missing, query } : null;
  }

  function respond(findRoute: FindRoute): Step {
    return (exchange, next) => {
      const { request, response, requestId } = exchange;
      const found = request.method === "POST" ? null : find(request, findRoute);
      const choice = found && choose(found.page, request, found.query);
      if (found === null || choice === null) return next();
      const { page } = found;
      forgetYesterday();
      exchange.route = page.route;
      const send = (kept: KeptResponse) => {
        if (page === missing) noteMissing(exchange);
        kept.respond(request, response, chooseEncoding(request.headers["accept-encoding"]), choice.setCookies);
      };
      const kept = page.kept.get(choice.key);
      if (kept !== undefined) return send(kept);
      const respondLater = async () => {
        const made = await keep(page, choice);
        if (made === null) next();
        else send(made);
      };
      respondLater().catch((error: unknown) => failures.end(error, response, requestId));
    };
  }

  function noteMissing({ request }: Exchange): void {
    log.info({ event: "page.not-found", path: loggablePath(`http://site${request.url}`, ownSegments) });
  }

  async function keepFirstVisit(page: Page): Promise<void> {
    if (page.firstVisit !== null) await keep(page, page.firstVisit);
  }

  return {
    respond,
    async prepareHome() {
      const home = pages.get("/");
      if (home !== undefined) await keepFirstVisit(home);
    },
    async warmUp() {
      for (const page of [...pages.values(), missing]) await keepFirstVisit(page);
    },
  };
}

interface Page {
  /** as it is rendered: the path, and the query where it reads one */
  readonly address: string;
  readonly path: string;
  /** under which it is logged and counted */
  readonly route: string;
  readonly status: number;
  /** null for what is the same for everybody */
  readonly findVariant: FindVariant | null;
  readonly firstVisit: Choice | null;
  readonly kept: Map<string, KeptResponse>;
  readonly rendering: Map<string, Promise<KeptResponse | null>>;
}

/** A page's variant for one visitor. */
interface Choice {
  readonly key: string;
  readonly variant: AppLoadContext["consent"];
  readonly setCookies: readonly string[];
}

const forEverybody: Choice = { key: "", variant: undefined, setCookies: [] };

/** Finds what a request gets. Most say nothing of themselves, and get what every first visit gets. */
function choose(page: Page, request: IncomingMessage, query: string): Choice | null {
  const { cookie, dnt, "sec-gpc": gpc } = request.headers;
  const saysNothing = query === "" && cookie === undefined && dnt === undefined && gpc === undefined;
  return saysNothing ? page.firstVisit : toChoice(page.findVariant, readRequest(page.path, query, request));
}

function toChoice(findVariant: FindVariant | null, request: PageRequest): Choice | null {
  if (findVariant === null) return forEverybody;
  const found = findVariant(request);
  return found && { ...found, key: JSON.stringify(found.variant) };
}

function createPage(address: string, findVariant: FindVariant | null): Page {
  const [path = ""] = address.split("?", 1);
  const isMissing = path === missingPath;
  const [route, status] = isMissing ? [anyOther, 404] : [path, 200];
  const request = { method: "GET", path, query: "", headers: { get: () => null }, host: "", address: "" };
  const firstVisit = toChoice(findVariant, request);
  return { address, path, route, status, findVariant, firstVisit, kept: new Map(), rendering: new Map() };
}

function readRequest(path: string, query: string, { method = "", url = "", headers }: IncomingMessage): PageRequest {
  const get = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : null;
  };
  return { method, path, query, headers: { get }, host: headers.host ?? "", address: url };
}
