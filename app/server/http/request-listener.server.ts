import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import onHeaders from "on-headers";
import sirv from "sirv";
import { rateLimitKey } from "~/lib/client-address";
import { isDraining } from "../health.server";
import { securityHeaders } from "../security-headers.server";
import { getSettings } from "../settings.server";
import { createMemory } from "./answer-from-memory.server";
import { findCanonicalPath } from "./canonical-path.server";
import { createFrameworkPages } from "./framework-pages.server";
import { answerProbe } from "./health-answers.server";
import type { FindPageVariant } from "./page-cache.server";
import { takeTurns } from "./pipelining.server";
import { answerPlainly } from "./plain-answer.server";
import { readBody, repeatRequest } from "./posted-body.server";
import { refuse } from "./refuse-request.server";
import { defaultQueue, createRenderQueue } from "./render-queue.server";
import { addressOf } from "./request-address.server";
import { nextRequestId } from "./request-id.server";
import { judgeOrigin } from "./request-origin.server";
import { refuseOversized } from "./request-size.server";
import { createRoutePatterns } from "./route-pattern.server";
import { isTrustedHost, pretendCanonicalHost } from "./trusted-host.server";
import { type Arrival, recordRefused, watchRequest } from "./watch-request.server";

/**
 * The way of a request through the edge of the process: what is answered from memory, headers, sanity, static files,
 * canonical address, pages.
 * @param findVariant tells which pages may be answered from memory
 * @param clientDir built scripts and styles; what lies in its `assets` never changes under the same name
 * @param publicDir files served as they are
 * @returns the listener, and `warmUp`, which renders the pages that are kept in memory
 */
export function createRequestListener(
  build: ServerBuild,
  findVariant: FindPageVariant,
  clientDir: string,
  publicDir: string,
): { listener: RequestListener; warmUp: () => Promise<void> } {
  const settings = getSettings();
  const defaultHeaders = securityHeaders({ isHttps: settings.isHttps });
  const defaults = Object.entries(defaultHeaders);
  const serveAssets = sirv(join(clientDir, "assets"), {
    maxAge: 365 * 24 * 3600,
    immutable: true,
    etag: true,
    brotli: true,
    gzip: true,
  });
  const serveShareImages = sirv(join(clientDir, "share"), { maxAge: 24 * 3600, etag: true });
  const servePublic = sirv(publicDir, { maxAge: 3600, etag: true, setHeaders: nameIconType });
  const render = createFrameworkPages(build);
  const queue = createRenderQueue({ ...defaultQueue, running: settings.rendersAtOnce });
  const memory = createMemory(build, findVariant);
  const findPattern = createRoutePatterns(build.routes);

  const listener = takeTurns((request, response) => {
    const arrival = { requestId: nextRequestId(), at: performance.now() };
    if (isDraining()) response.shouldKeepAlive = false;
    const refusal = refuseOversized(request, response, defaultHeaders);
    if (refusal !== null) recordRefused(request, arrival, refusal);
    else if (!(isTrustedHost(request, settings) && memory.answer(request, response, arrival)))
      goOn(request, response, arrival);
  });

  function goOn(request: IncomingMessage, response: ServerResponse, arrival: Arrival): void {
    const watched = watchRequest(request, response, arrival);
    // Last of all, so that no answer leaves without them, whoever made it.
    onHeaders(response, () => {
      if (isDraining()) response.shouldKeepAlive = false;
      for (const [name, value] of defaults) if (!response.hasHeader(name)) response.setHeader(name, value);
    });
    if (answerProbe(request.url ?? "", response)) {
      watched.route = null;
      return;
    }
    if (refuse(request, response, settings)) return;
    // The guard needs what the browser sent; Remix has a check of its own, which answers an empty 500.
    const isSameOrigin = judgeOrigin(request, settings);
    delete request.headers.origin;
    delete request.headers["x-forwarded-host"];
    if (settings.siteUrlIsExplicit) pretendCanonicalHost(request, settings.siteUrl);

    const path = request.url ?? "/";
    const [, folder] = /^\/(assets|share)\//.exec(path) ?? [];
    if (folder !== undefined) {
      watched.route = `/${folder}/*`;
      request.url = path.slice(folder.length + 1);
      const serveFile = folder === "assets" ? serveAssets : serveShareImages;
      serveFile(request, response, () => answerPlainly(response, 404, "Not found\n"));
      return;
    }
    const canonical = request.method === "POST" ? null : findCanonicalPath(path);
    watched.route = "(file)";
    servePublic(request, response, () => {
      if (canonical === null) {
        watched.route = findPattern(path);
        response.setHeader("X-Request-Id", arrival.requestId);
        void renderInTurn(request, response, { requestId: arrival.requestId, isSameOrigin });
      } else {
        watched.route = "(redirect)";
        answerPlainly(response, 308, "", { Location: canonical });
      }
    });
  }

  async function renderInTurn(
    request: IncomingMessage,
    response: ServerResponse,
    known: Pick<AppLoadContext, "requestId" | "isSameOrigin">,
  ): Promise<void> {
    const isForm = request.method === "POST";
    const body = isForm ? await readBody(request) : undefined;
    if (body === null || response.destroyed) return;
    const complete = body === undefined ? request : repeatRequest(request, body);
    const context = { ...known, peerAddress: request.socket.remoteAddress ?? "" };
    const leave = queue.enter({
      client: rateLimitKey(addressOf(request, settings.trustedProxies)),
      isForm,
      start: (done) => render(complete, response, context, done),
      refuse: () => memory.busyPage.answer(request, response),
    });
    response.once("close", leave);
  }

  return { listener, warmUp: () => memory.warmUp() };
}

/** sirv knows no type for `.ico`, and `nosniff` keeps browsers from guessing one. */
function nameIconType(response: ServerResponse, path: string): void {
  if (path.endsWith(".ico")) response.setHeader("Content-Type", "image/x-icon");
}
