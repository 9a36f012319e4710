import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener } from "node:http";
import { join } from "node:path";
import { constants } from "node:zlib";
import { createRequestHandler } from "@remix-run/express";
import type { ServerBuild } from "@remix-run/node";
import compression from "compression";
import express, { type ErrorRequestHandler } from "express";
import onHeaders from "on-headers";
import sirv from "sirv";
import { isDraining } from "../health.server";
import { describeError, logProblem } from "../log.server";
import { securityHeaders } from "../security-headers.server";
import { getSettings } from "../settings.server";
import { findCanonicalPath } from "./canonical-path.server";
import { answerProbe } from "./health-answers.server";
import { type FindPageVariant, createPageCache } from "./page-cache.server";
import { answerPlainly } from "./plain-answer.server";
import { refuse } from "./refuse-request.server";
import { judgeOrigin } from "./request-origin.server";
import { createRoutePatterns } from "./route-pattern.server";
import { isTrustedHost, pretendCanonicalHost } from "./trusted-host.server";
import { recordRequest, watchRequest } from "./watch-request.server";

const requestIds = new WeakMap<IncomingMessage, string>();
const sameOrigin = new WeakMap<IncomingMessage, boolean>();

/**
 * The way of a request through the edge of the process: pages in memory, headers, sanity, static files, canonical
 * address, pages.
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
  const pages = createPages(build);
  const cache = createPageCache(build, findVariant);

  const findPattern = createRoutePatterns(build.routes);

  const listener: RequestListener = (request, response) => {
    const startedAt = performance.now();
    const requestId = randomUUID();
    if (isDraining()) response.shouldKeepAlive = false;
    if (isTrustedHost(request, settings)) {
      const sent = cache.answer(request, response);
      if (sent !== null) {
        const { url: route = "", method = "" } = request;
        recordRequest({ requestId, route, method, ...sent, durationMs: performance.now() - startedAt });
        return;
      }
    }
    const watched = watchRequest(request, response, requestId, startedAt);
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
  };
  return { listener, warmUp: () => cache.warmUp() };
}

function createPages(build: ServerBuild): RequestListener {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // Quality 5: a tenth of a page's rendering time for nine tenths of what the best quality saves.
  app.use(compression({ brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } }));
  app.all(
    "*",
    createRequestHandler({
      build,
      getLoadContext: (request) => ({
        requestId: requestIds.get(request),
        peerAddress: request.socket.remoteAddress ?? "",
        isSameOrigin: sameOrigin.get(request),
      }),
    }),
  );
  app.use(answerFailure);
  return app;
}

/** Express knows an error handler by its four parameters. */
const answerFailure: ErrorRequestHandler = (error, request, response, _next) => {
  logProblem({ event: "request.failed", requestId: requestIds.get(request), ...describeError(error) });
  if (response.headersSent) response.destroy();
  else answerPlainly(response, 500, "Something went wrong on our side. Try again in a minute.\n");
};
