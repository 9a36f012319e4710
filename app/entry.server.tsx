import { randomBytes } from "node:crypto";
import type { AppLoadContext, EntryContext } from "@remix-run/node";
import type { ReactNode } from "react";
import { RemixServer, isRouteErrorResponse } from "@remix-run/react";
import { findAnalyticsTag } from "~/features/consent/analytics/analytics-tag.server";
import { readConsentState } from "~/features/consent/state/consent-state.server";
import { createFindVariant } from "~/features/consent/state/find-variant.server";
import { isHydrated } from "~/lib/pages/hydration";
import { loggablePath } from "~/lib/http/loggable-path";
import { hashOf, hashInlineScripts } from "~/server/document/inline-scripts.server";
import { forbidTransform } from "~/server/document/forbid-transform.server";
import { deferModulePreloads } from "~/server/document/defer-scripts.server";
import { addHandoff, renderHydratable, renderStatic } from "~/server/document/render-to-string.server";
import { getSite } from "~/server/default-site.server";
import { describeError } from "~/server/observability/log.server";
import { type PageSources, securityHeaders } from "~/server/document/security-headers.server";
import { type ServeOptions, serve } from "~/server/process/serve.server";
import { type Site, type SiteOptions, createSite as createSiteWith } from "~/server/site.server";
import type { Settings } from "~/server/config/settings.server";
import { ownSegments, publicPaths } from "./content/site-pages";
import styles from "./styles.css?inline";
import { DocumentPartsProvider, stylesId } from "~/ui/frame/document-parts";

/** Makes a site of this build (server/site.server.ts). The process edge travels in it, so that both share one set of modules. */
export const createSite = (
  settings: Settings,
  { build, ...options }: Omit<SiteOptions, "createFindVariant">,
): Promise<Site> => createSiteWith(settings, { ...options, build, createFindVariant });

/** Serves a site of this build with this whole process (server/process/serve.server.ts). */
export const startServer = (
  build: SiteOptions["build"],
  options: Pick<ServeOptions, "keepsPages" | "keepsConsole" | "serveFiles" | "namesInFile"> = {},
): Promise<void> => serve({ ...options, build, createFindVariant });

/** The route of everything that has no other: a path that matched one may hold what somebody typed, and is not logged. */
const missingPages = "/*";
/** Development links the file instead, so that a change shows without a reload. */
const inlineStyles = import.meta.env.DEV ? undefined : styles;
/** Lets the policy allow this very stylesheet inside a page, and no other. */
const inlineStyleHash = hashOf(styles);

/** Renders a page and gives it the headers that belong to the application. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  loadContext: AppLoadContext,
): Promise<Response> {
  const site = getSite(loadContext);
  const { settings, log } = site;
  const { matches } = context.staticHandlerContext;
  const hydrated = matches.some(({ route }) => isHydrated({ handle: context.routeModules[route.id]?.handle }));
  const mark = hydrated ? randomBytes(16).toString("hex") : undefined;
  // Loader data is written into the page for scripts to read, and not by React; a page without scripts needs none of it.
  const pageContext = { ...context, serverHandoffStream: undefined };
  const { pathname } = new URL(request.url);
  const analytics = findAnalyticsTag(settings, pathname, loadContext.consent ?? readConsentState(site, request));
  const page = (
    <DocumentPartsProvider value={{ mark, styles: inlineStyles === undefined ? undefined : "" }}>
      <RemixServer context={pageContext} url={request.url} />
    </DocumentPartsProvider>
  );
  const { html, scriptHashes } =
    mark === undefined
      ? { html: renderStatic(page), scriptHashes: [] }
      : hashInlineScripts(await renderWithScripts(page, pageContext, context.serverHandoffStream, mark), mark);
  setDocumentHeaders(headers, status, settings, {
    isDevelopment: import.meta.env.DEV,
    scriptHashes: [...scriptHashes, ...(analytics ? [analytics.scriptHash] : [])],
    inlineStyleHash,
    ownScripts: hydrated || status === 404,
    analytics: analytics !== null,
  });
  if (status === 200 && publicPaths.has(pathname)) headers.set("Speculation-Rules", '"/rules.json"');
  if (status === 404 && !loadContext.isForMemory && matches.some(({ route }) => route.id === missingPages))
    log.info({ event: "page.not-found", path: loggablePath(request.url, ownSegments) });
  const document = completeHead(html, analytics?.html ?? "");
  if (loadContext.takeDocument === undefined) return new Response(document, { headers, status });
  loadContext.takeDocument(document);
  return new Response(null, { headers, status });
}

async function renderWithScripts(
  page: ReactNode,
  { renderMeta }: EntryContext,
  data: EntryContext["serverHandoffStream"],
  mark: string,
): Promise<string> {
  const html = deferModulePreloads(renderHydratable(page));
  // An error page of a route with scripts has none.
  return data && renderMeta?.didRenderScripts ? addHandoff(html, data, mark) : html;
}

/** Gives the answers that scripts fetch the same headers as pages. */
export function handleDataRequest(response: Response, { context }: { context: AppLoadContext }): Response {
  applySecurityHeaders(response.headers, getSite(context).settings);
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  return response;
}

/** Takes what a loader or an action threw; the log names it without quoting it. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }): void {
  const isVisitorsMistake = isRouteErrorResponse(error) && error.status < 500;
  if (request.signal.aborted || isVisitorsMistake || isOutdatedAddress(error)) return;
  const { log, metrics } = getSite(context);
  metrics.countRequestFailure();
  log.error({ event: "request.failed", requestId: context.requestId, ...describeError(error) });
}

/** Anybody can ask for the addresses of an older Remix (`?_data=`); that they did is nothing for the operator to look at. */
function isOutdatedAddress(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Warning: Single fetch-enabled apps");
}

/** Puts into a document's head what need not go through React: the stylesheet, which is half of most pages, and the analytics tag. */
function completeHead(html: string, tag: string): string {
  const end = html.indexOf("</head>");
  const head = html.slice(0, end).replace(emptyStyles, () => `<style id="${stylesId}">${inlineStyles}</style>`);
  return head + tag + html.slice(end);
}

const emptyStyles = `<style id="${stylesId}"></style>`;

function setDocumentHeaders(headers: Headers, status: number, settings: Settings, page: PageSources): void {
  headers.set("Content-Type", "text/html; charset=utf-8");
  applySecurityHeaders(headers, settings, page);
  if (!headers.has("Cache-Control"))
    headers.set("Cache-Control", headers.has("Set-Cookie") ? "no-store" : "private, no-cache");
  forbidTransform(headers);
  if (status === 405 && !headers.has("Allow")) headers.set("Allow", "GET, HEAD");
}

function applySecurityHeaders(headers: Headers, settings: Settings, page?: PageSources): void {
  for (const [name, value] of Object.entries(securityHeaders(settings, page))) headers.set(name, value);
}
