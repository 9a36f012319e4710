import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import onHeaders from "on-headers";
import { reportsPath } from "~/lib/http/reports-path";
import type { Settings } from "../config/settings.server";
import type { Timeouts } from "../config/timeouts.server";
import type { RateLimits } from "../limits/rate-limit.server";
import type { Health } from "../observability/health.server";
import type { SetupWarnings } from "../observability/setup-warnings.server";
import { createFindRoute } from "../observability/route-pattern.server";
import { type RequestRecorder, type RequestStart, rejected } from "../observability/track-request.server";
import { type TurnAway, createAnswerAtOnce } from "./answer-at-once.server";
import type { CacheHandler } from "./cache/cache-handler.server";
import { findCanonicalPath } from "./edge/canonical-path.server";
import { createHopWatch } from "./edge/hop-watch.server";
import { createBodyReader } from "./edge/posted-body.server";
import type { NoteRefusal } from "./edge/refusal-report.server";
import { rejectMalformedRequest } from "./edge/reject-malformed-request.server";
import { judgeOrigin } from "./edge/request-origin.server";
import type { RequestFailures } from "./edge/request-failures.server";
import { refuseOversized } from "./edge/request-size.server";
import { createSiteAddress } from "./edge/site-address.server";
import { createHostCheck, overrideHost } from "./edge/trusted-host.server";
import { handleProbe } from "./health-endpoints.server";
import { type PolicyDirective, createReportTaker } from "./policy-reports.server";
import { createRenderInTurn } from "./render-in-turn.server";
import { sendText } from "./send-text.server";
import { type ServeFiles, routeOfFile } from "./static-files.server";

/** What the way of a request is made of. */
export interface ListenerDependencies {
  settings: Settings;
  timeouts: Timeouts;
  failures: RequestFailures;
  health: Health;
  requests: RequestRecorder;
  /** of every answer, by name */
  defaultHeaders: Record<string, string>;
  routes: ServerBuild["routes"];
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** what every loader and action is told, beside what belongs to the request */
  loadContext: AppLoadContext;
  cache: CacheHandler;
  limits: Pick<RateLimits, "countPost" | "countReport">;
  /** counts and logs what finds no place */
  noteRefusal: NoteRefusal;
  turnAway: TurnAway;
  /** counts what the content security policy has kept out of a page */
  countViolation: (directive: PolicyDirective) => void;
  /** takes what requests reveal of a mistake in how the site is set up */
  warn: SetupWarnings["add"];
  serveFiles: ServeFiles;
  /** whether a decoded path is one of the files that are served */
  isFile: (path: string) => boolean;
}

/**
 * Makes the way of a request through the edge of the process: size, pages from memory, what else needs no rendering,
 * headers, sanity, files, canonical address, render queue, framework.
 */
export function createRequestListener(dependencies: ListenerDependencies): RequestListener {
  const { settings, timeouts, failures, health, requests, defaultHeaders, cache, limits, serveFiles } = dependencies;
  const defaults = Object.entries(defaultHeaders);
  const { busyPage } = cache;
  const bodies = createBodyReader({ settings, timeouts, note: dependencies.noteRefusal });
  const renderInTurn = createRenderInTurn({ ...dependencies, ...limits, bodies, busyPage });
  const takeReports = createReportTaker({ ...dependencies, ...limits, bodies });
  const findRoute = createFindRoute(dependencies.routes);
  const answerAtOnce = createAnswerAtOnce({ ...dependencies, findRoute });
  const isTrustedHost = createHostCheck(settings);
  const siteAddress = createSiteAddress(settings);
  const watchHops = createHopWatch(settings, dependencies.warn);

  /** In no cache: a proxy's may hold pages of both names under one key. */
  function redirectToSite(request: IncomingMessage, response: ServerResponse, start: RequestStart): boolean {
    const location = siteAddress.findRedirect(request);
    if (location === null) return false;
    sendText(response, 308, "", { ...defaultHeaders, Location: location });
    requests.recordAtOnce(request, start, "(redirect)", { status: 308, bytes: 0 });
    return true;
  }

  function handleUncached(request: IncomingMessage, response: ServerResponse, start: RequestStart): void {
    const tracked = requests.track(request, response, start);
    const fail = (error: unknown) => failures.end(error, response, start.requestId);
    // Last of all, so that no answer leaves without them, whoever made it.
    onHeaders(response, () => {
      if (health.isDraining()) response.shouldKeepAlive = false;
      for (const [name, value] of defaults) if (!response.hasHeader(name)) response.setHeader(name, value);
    });
    if (handleProbe(health, request.url ?? "", response, fail)) {
      tracked.route = null;
      return;
    }
    if (rejectMalformedRequest(request, response, isTrustedHost)) return;
    if (request.method === "POST" && request.url === reportsPath) {
      tracked.route = reportsPath;
      takeReports(request, response).catch(fail);
      return;
    }
    // The guard needs what the browser sent; Remix has a check of its own, which answers an empty 500.
    const isSameOrigin = judgeOrigin(request, settings, siteAddress.isElsewhere(request));
    delete request.headers.origin;
    delete request.headers["x-forwarded-host"];
    if (settings.siteUrlIsExplicit) overrideHost(request, settings.siteUrl);
    // No file here needs ranges, a server may ignore them (RFC 9110, 14.2), and the file server throws over `bytes=5-2`.
    delete request.headers.range;
    delete request.headers["if-range"];

    const path = request.url ?? "/";
    const canonical = request.method === "POST" ? null : findCanonicalPath(path);
    tracked.route = routeOfFile(path);
    serveFiles(request, response, () => {
      if (canonical === null) {
        const route = findRoute(path);
        tracked.route = route.pattern;
        response.setHeader("X-Request-Id", start.requestId);
        renderInTurn(request, response, route, { requestId: start.requestId, isSameOrigin }).catch(fail);
      } else {
        tracked.route = "(redirect)";
        sendText(response, 308, "", { Location: canonical });
      }
    });
  }

  return failures.guard((request, response) => {
    const start = { requestId: randomUUID(), at: performance.now() };
    if (health.isDraining()) response.shouldKeepAlive = false;
    bodies.endUnread(request, response);
    const refusal = refuseOversized(request, response, defaultHeaders);
    if (refusal !== null) {
      requests.recordAtOnce(request, start, rejected, refusal);
      return;
    }
    watchHops(request);
    if (
      !isTrustedHost(request) ||
      !(
        redirectToSite(request, response, start) ||
        cache.handle(request, response, start) ||
        answerAtOnce(request, response, start)
      )
    )
      handleUncached(request, response, start);
  });
}
