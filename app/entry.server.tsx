import { randomBytes } from "node:crypto";
import type { AppLoadContext, EntryContext } from "@remix-run/node";
import type { ReactNode } from "react";
import { RemixServer, isRouteErrorResponse } from "@remix-run/react";
import { findAnalyticsTag } from "~/features/consent/analytics/analytics-tag.server";
import { readConsentState } from "~/features/consent/state/consent-state.server";
import { createFindVariant } from "~/features/consent/state/find-variant.server";
import { opensPreferences } from "~/features/consent/ui/preferences-address";
import { isAdminArea } from "~/lib/pages/admin-area";
import { isHydrated } from "~/lib/pages/hydration";
import { loggablePath } from "~/lib/http/loggable-path";
import { hashInlineScripts, hashOf } from "~/server/document/inline-scripts.server";
import { addHandoff, renderHydratable, renderStatic } from "~/server/document/render-to-string.server";
import { getSite } from "~/server/default-site.server";
import { describeError } from "~/server/observability/log.server";
import { findPageStyles } from "~/server/document/page-styles.server";
import { type PageSources, forbidTransform, securityHeaders } from "~/server/document/security-headers.server";
import { type ServeOptions, serve } from "~/server/process/serve.server";
import { type Site, type SiteOptions, createSite as createSiteWith } from "~/server/site.server";
import type { Settings } from "~/server/config/settings.server";
import { ownSegments, publicPaths } from "./content/site-pages";
import { DocumentPartsProvider, stylesId } from "~/ui/frame/document-parts";

/**
 * Creates a site of this build (server/site.server.ts). The build contains the server, so that both share one set of
 * modules.
 */
export const createSite = (
  settings: Settings,
  { build, ...options }: Omit<SiteOptions, "createFindVariant">,
): Promise<Site> => createSiteWith(settings, { ...options, build, createFindVariant });

/** Serves a site of this build with this whole process (server/process/serve.server.ts). */
export const startServer = (
  build: SiteOptions["build"],
  options: Pick<ServeOptions, "cachesPages" | "keepsConsole" | "serveFiles" | "namesInFile" | "timeouts"> = {},
): Promise<void> => serve({ ...options, build, createFindVariant });

/** The catch-all route. Only its paths are logged: a path that matches another route may hold a visitor's input. */
const missingPageRoute = "/*";
/** Development links the file, so that changes show without a reload. */
const linksStyles = import.meta.env.DEV;

/** Renders a page and sets the application's headers. */
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
  // `addHandoff` writes the loader data, not React. A page without scripts needs none.
  const pageContext = { ...context, serverHandoffStream: undefined };
  const { pathname, search } = new URL(request.url);
  const analytics = findAnalyticsTag(settings, pathname, loadContext.consent ?? readConsentState(site, request));
  const page = (
    <DocumentPartsProvider value={{ mark, styles: linksStyles ? undefined : "" }}>
      <RemixServer context={pageContext} url={request.url} />
    </DocumentPartsProvider>
  );
  const { html, scriptHashes } =
    mark === undefined
      ? { html: renderStatic(page), scriptHashes: [] }
      : hashInlineScripts(await renderWithScripts(page, pageContext, context.serverHandoffStream, mark), mark);
  const styles = linksStyles
    ? ""
    : findPageStyles(
        html,
        hydrated && matches.some(({ route }) => isAdminArea({ handle: context.routeModules[route.id]?.handle })),
      );
  // The visitor's own record, whose number alone opens and deletes it. Pages in memory show none.
  if (loadContext.consent === undefined && opensPreferences(search) && !headers.has("Cache-Control"))
    headers.set("Cache-Control", "no-store");
  setDocumentHeaders(headers, status, settings, {
    isDevelopment: import.meta.env.DEV,
    scriptHashes: [...scriptHashes, ...(analytics ? [analytics.scriptHash] : [])],
    inlineStyleHash: hashOf(styles),
    ownScripts: hydrated || status === 404,
    analytics: analytics !== null,
  });
  if (status === 200 && publicPaths.has(pathname)) headers.set("Speculation-Rules", '"/rules.json"');
  if (status === 404 && !loadContext.isForCache && matches.some(({ route }) => route.id === missingPageRoute))
    log.info({ event: "page.not-found", path: loggablePath(request.url, ownSegments) });
  return new Response(completeHead(html, styles, analytics?.html ?? ""), { headers, status });
}

async function renderWithScripts(
  page: ReactNode,
  { renderMeta }: EntryContext,
  data: EntryContext["serverHandoffStream"],
  mark: string,
): Promise<string> {
  const html = renderHydratable(page);
  // The error page of a hydrated route has no scripts.
  return data && renderMeta?.didRenderScripts ? addHandoff(html, data, mark) : html;
}

/** Gives responses to data requests of scripts the same headers as pages. */
export function handleDataRequest(response: Response, { context }: { context: AppLoadContext }): Response {
  applySecurityHeaders(response.headers, getSite(context).settings);
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  return response;
}

/** Logs an error that a loader or action threw, without its message. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }): void {
  const isClientError = isRouteErrorResponse(error) && error.status < 500;
  if (request.signal.aborted || isClientError || isOutdatedUrl(error)) return;
  const { log, metrics } = getSite(context);
  metrics.countRequestFailure();
  log.error({ event: "request.failed", requestId: context.requestId, ...describeError(error) });
}

/** Recognizes requests for URLs of an older Remix (`?_data=`). Anyone can send them, and the operator need not act. */
function isOutdatedUrl(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Warning: Single fetch-enabled apps");
}

/**
 * Inserts the parts of the head that bypass React: the styles, which are half of most pages, and the analytics tag.
 */
function completeHead(html: string, styles: string, tag: string): string {
  const end = html.indexOf("</head>");
  const head = html.slice(0, end).replace(emptyStyles, () => `<style id="${stylesId}">${styles}</style>`);
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
