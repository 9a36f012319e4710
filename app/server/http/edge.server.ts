import type { RequestListener } from "node:http";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import onHeaders from "on-headers";
import type { Secrets } from "../config/secrets.server";
import type { Settings } from "../config/settings.server";
import type { Timeouts } from "../config/timeouts.server";
import type { RateLimits } from "../limits/rate-limit.server";
import type { Health } from "../observability/health.server";
import type { EventLoop } from "../observability/event-loop.server";
import { createRouteMatcher } from "../observability/route-pattern.server";
import type { SetupWarnings } from "../observability/setup-warnings.server";
import type { RequestRecorder } from "../observability/track-request.server";
import type { BusyPage } from "./memory/busy-page.server";
import type { PageMemory } from "./memory/page-memory.server";
import { redirectToCanonicalPath } from "./edge/canonical-path.server";
import { echoRequest } from "./edge/echo.server";
import { chainSteps, createExchange } from "./edge/exchange.server";
import { createHopWatch } from "./edge/hop-watch.server";
import { refuseMalformed } from "./edge/malformed-request.server";
import { createBodyReader } from "./edge/posted-body.server";
import type { NoteRefusal } from "./edge/refusal-report.server";
import type { RequestFailures } from "./edge/request-failures.server";
import { checkOrigin } from "./edge/request-origin.server";
import { refuseOversized } from "./edge/request-size.server";
import { createSiteAddress, redirectToSite } from "./edge/site-address.server";
import { respondToProbes } from "./health-endpoints.server";
import { renderInTurn } from "./render-in-turn.server";
import { type ServeFiles, respondWithFiles } from "./static-files.server";

/** Dependencies of the edge. */
export interface EdgeDependencies {
  settings: Settings;
  secrets: Pick<Secrets, "derive">;
  timeouts: Timeouts;
  failures: RequestFailures;
  health: Health;
  requests: RequestRecorder;
  /** Headers of every response, by name. */
  defaultHeaders: Record<string, string>;
  routes: ServerBuild["routes"];
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** Context of every loader and action; each request adds its own fields. */
  loadContext: AppLoadContext;
  /** Null in development, where each request renders its page. */
  memory: PageMemory | null;
  busyPage: BusyPage;
  limits: Pick<RateLimits, "countPost" | "refundPost">;
  /** Counts and logs connections and bodies that are refused for lack of a slot. */
  noteRefusal: NoteRefusal;
  /** Receives the routes of requests in flight; undefined where the event loop is not observed. */
  loop: EventLoop | undefined;
  /** Records a setup mistake that requests reveal. */
  warn: SetupWarnings["add"];
  serveFiles: ServeFiles;
}

/**
 * Creates the request listener of the edge: the steps that every request passes, up to rendering. The HTTP server has
 * already limited the connections, and lets each one process one request at a time (http-server).
 */
export function createEdge(dependencies: EdgeDependencies): RequestListener {
  const { settings, timeouts, failures, health, requests, defaultHeaders, limits, memory } = dependencies;
  const bodies = createBodyReader({ settings, timeouts, note: dependencies.noteRefusal });
  const siteAddress = createSiteAddress(settings);
  const findRoute = createRouteMatcher(dependencies.routes);
  const watchHops = createHopWatch(settings, dependencies.warn);
  const defaults = Object.entries(defaultHeaders);

  const run = chainSteps([
    refuseOversized,
    respondToProbes(health, failures),
    refuseMalformed(settings),
    echoRequest(settings, dependencies.secrets),
    ({ request }, next) => {
      watchHops(request);
      next();
    },
    redirectToSite(siteAddress),
    checkOrigin(settings, siteAddress),
    respondWithFiles(dependencies.serveFiles),
    redirectToCanonicalPath,
    ...(memory === null ? [] : [memory.respond(findRoute)]),
    renderInTurn({ ...dependencies, ...limits, bodies, findRoute }),
  ]);

  return failures.guard((request, response) => {
    const exchange = createExchange(request, response, dependencies.loop);
    requests.track(exchange);
    if (health.isDraining()) response.shouldKeepAlive = false;
    bodies.endUnread(request, response);
    // Runs right before the headers are written, so that no response goes out without the defaults.
    onHeaders(response, () => {
      if (health.isDraining()) response.shouldKeepAlive = false;
      for (const [name, value] of defaults) if (!response.hasHeader(name)) response.setHeader(name, value);
    });
    run(exchange);
  });
}
