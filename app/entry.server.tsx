import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { PassThrough } from "node:stream";
import type { AppLoadContext, EntryContext, ServerBuild } from "@remix-run/node";
import { RemixServer, isRouteErrorResponse } from "@remix-run/react";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { findAnalyticsTag } from "./features/consent/analytics-tag.server";
import { readConsentState } from "./features/consent/consent-state.server";
import { startContactDeliveries } from "./features/contact/contact.server";
import { refusableContactForm } from "./features/contact/refusable-form.server";
import { refusableDataRightsForm } from "./features/data-rights/refusable-form.server";
import { findPageVariant } from "./features/consent/page-variant.server";
import { isHydrated } from "./lib/hydration";
import { loggablePath } from "./lib/loggable-path";
import { hashOf, nameScripts } from "./server/inline-scripts.server";
import { letLinksWait } from "./server/late-scripts.server";
import { describeError, log, logProblem } from "./server/log.server";
import { type PageSources, securityHeaders } from "./server/security-headers.server";
import { startServer as startHttpServer } from "./server/http/start.server";
import { getSettings } from "./server/settings.server";
import styles from "./styles.css?inline";
import { DocumentPartsProvider } from "./ui/document-parts";

/** What operators run beside the server (bin/operate.mjs). */
export { runOperation } from "#supabase/embedded/operations/run-operation";

/** Starts the product. The process edge travels in the same build, so that both share one set of modules. */
export const startServer = (build: ServerBuild): Promise<void> =>
  startHttpServer(build, { findVariant: findPageVariant, refusable: [refusableContactForm, refusableDataRightsForm] });

/** The route of everything that has no other: a path that matched one may hold what somebody typed, and is not logged. */
const missingPages = "routes/$";
const renderTimeoutMs = 5_000;
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
): Promise<Response> {
  // Where pages are rendered, visitors are served: under any server, with its first page (our own renders some at its
  // start), and never in a command that only travels in this build.
  startContactDeliveries();
  const { matches } = context.staticHandlerContext;
  const hydrated = matches.some(({ route }) => isHydrated({ handle: context.routeModules[route.id]?.handle }));
  const mark = hydrated ? randomBytes(16).toString("hex") : undefined;
  // Loader data is written into the page for scripts to read; a page without scripts needs none of it.
  const pageContext = hydrated ? context : { ...context, serverHandoffStream: undefined };
  const analytics = findAnalyticsTag(new URL(request.url).pathname, readConsentState(request).allowed);
  const rendered = await renderWhole(
    <DocumentPartsProvider value={{ mark, styles: inlineStyles }}>
      <RemixServer context={pageContext} url={request.url} abortDelay={renderTimeoutMs} nonce={mark} />
    </DocumentPartsProvider>,
  );
  const { html, scriptHashes } =
    mark === undefined ? { html: rendered, scriptHashes: [] } : nameScripts(letLinksWait(rendered), mark);
  setDocumentHeaders(headers, status, {
    scriptHashes: [...scriptHashes, ...(analytics ? [analytics.scriptHash] : [])],
    inlineStyleHash,
    ownScripts: hydrated || status === 404,
    analytics: analytics !== null,
  });
  if (status === 404 && matches.some(({ route }) => route.id === missingPages))
    log({ event: "page.not-found", path: loggablePath(request.url) });
  return new Response(analytics ? html.replace("</head>", () => `${analytics.html}</head>`) : html, {
    headers,
    status,
  });
}

/** Gives the answers that scripts fetch the same headers as pages. */
export function handleDataRequest(response: Response): Response {
  applySecurityHeaders(response.headers, {});
  if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store");
  return response;
}

/** Takes what a loader or an action threw; the log names it without quoting it. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }): void {
  const isVisitorsMistake = isRouteErrorResponse(error) && error.status < 500;
  if (request.signal.aborted || isVisitorsMistake || isOutdatedAddress(error)) return;
  logProblem({ event: "request.failed", requestId: context.requestId, ...describeError(error) });
}

/** Anybody can ask for the addresses of an older Remix (`?_data=`); that they did is nothing for the operator to look at. */
function isOutdatedAddress(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Warning: Single fetch-enabled apps");
}

/**
 * Renders to one string: no page of ours waits for late data, a failure can still become a clean 500, and the data for
 * scripts, which Remix writes behind the document, can be put where HTML allows it.
 */
function renderWhole(page: ReactNode): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(page, {
      onAllReady: () => {
        clearTimeout(timer);
        text(pipe(new PassThrough())).then((html) => resolve(closeDocumentLast(withoutNul(html))), reject);
      },
      onShellError: (error) => {
        clearTimeout(timer);
        reject(error);
      },
      onError: (error) => logProblem({ event: "page.render-failed", ...describeError(error) }),
    });
    const timer = setTimeout(abort, renderTimeoutMs);
  });
}

/**
 * React 18 writes in steps of 2048 bytes, and where a character does not fit the rest of one it leaves NUL bytes before it.
 * HTML allows none anyway (HTML standard, section 13.2.3.5): what a visitor posted may hold some.
 */
function withoutNul(html: string): string {
  return html.replaceAll("\0", "");
}

function closeDocumentLast(html: string): string {
  const end = "</body></html>";
  const at = html.lastIndexOf(end);
  return at === -1 ? html : html.slice(0, at) + html.slice(at + end.length) + end;
}

function setDocumentHeaders(headers: Headers, status: number, page: PageSources): void {
  headers.set("Content-Type", "text/html; charset=utf-8");
  applySecurityHeaders(headers, page);
  if (!headers.has("Cache-Control"))
    headers.set("Cache-Control", headers.has("Set-Cookie") ? "no-store" : "private, no-cache");
  if (status === 405 && !headers.has("Allow")) headers.set("Allow", "GET, HEAD");
}

function applySecurityHeaders(headers: Headers, page: PageSources): void {
  const { isHttps } = getSettings();
  for (const [name, value] of Object.entries(securityHeaders({ isHttps, ...page }))) headers.set(name, value);
}
