import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import type { ServerBuild } from "@remix-run/node";
import onHeaders from "on-headers";
import sirv from "sirv";
import { isDraining } from "../health.server";
import { securityHeaders } from "../security-headers.server";
import { getSettings } from "../settings.server";
import { type MemoryForms, createMemory } from "./answer-from-memory.server";
import { findCanonicalPath } from "./canonical-path.server";
import { createFrameworkPages } from "./framework-pages.server";
import { answerProbe } from "./health-answers.server";
import { answerPlainly } from "./plain-answer.server";
import { refuse } from "./refuse-request.server";
import { nextRequestId } from "./request-id.server";
import { judgeOrigin } from "./request-origin.server";
import { createRoutePatterns } from "./route-pattern.server";
import { isTrustedHost, pretendCanonicalHost } from "./trusted-host.server";
import { type Arrival, watchRequest } from "./watch-request.server";

const requestIds = new WeakMap<IncomingMessage, string>();
const sameOrigin = new WeakMap<IncomingMessage, boolean>();

/**
 * The way of a request through the edge of the process: what is answered from memory, headers, sanity, static files,
 * canonical address, pages.
 * @param kept what may be answered from memory
 * @param clientDir built scripts and styles; what lies in its `assets` never changes under the same name
 * @param publicDir files served as they are
 * @returns the listener, and `warmUp`, which renders the pages that are kept in memory
 */
export function createRequestListener(
  build: ServerBuild,
  kept: MemoryForms,
  clientDir: string,
  publicDir: string,
): { listener: RequestListener; warmUp: () => Promise<void> } {
  const settings = getSettings();
  const defaults = Object.entries(securityHeaders({ isHttps: settings.isHttps }));
  const serveAssets = sirv(join(clientDir, "assets"), {
    maxAge: 365 * 24 * 3600,
    immutable: true,
    etag: true,
    brotli: true,
    gzip: true,
  });
  const serveShareImages = sirv(join(clientDir, "share"), { maxAge: 24 * 3600, etag: true });
  const servePublic = sirv(publicDir, { maxAge: 3600, etag: true });
  const pages = createFrameworkPages(build, (request) => ({
    requestId: requestIds.get(request),
    peerAddress: request.socket.remoteAddress ?? "",
    isSameOrigin: sameOrigin.get(request),
  }));
  const memory = createMemory(build, kept, goOn);
  const findPattern = createRoutePatterns(build.routes);

  const listener: RequestListener = (request, response) => {
    const arrival = { requestId: nextRequestId(), at: performance.now() };
    if (isDraining()) response.shouldKeepAlive = false;
    if (isTrustedHost(request, settings) && memory.answer(request, response, arrival)) return;
    goOn(request, response, arrival);
  };

  function goOn(request: IncomingMessage, response: ServerResponse, arrival: Arrival): void {
    const { requestId } = arrival;
    const watched = watchRequest(request, response, arrival);
    requestIds.set(request, requestId);
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
    sameOrigin.set(request, judgeOrigin(request, settings));
    delete request.headers.origin;
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
        response.setHeader("X-Request-Id", requestId);
        pages(request, response);
      } else {
        watched.route = "(redirect)";
        answerPlainly(response, 308, "", { Location: canonical });
      }
    });
  }

  return { listener, warmUp: () => memory.warmUp() };
}
