import type { RequestListener } from "node:http";
import onHeaders from "on-headers";
import type { Secrets } from "../config/secrets.server";
import type { Settings } from "../config/settings.server";
import type { Timeouts } from "../config/timeouts.server";
import type { EventLoop } from "../observability/event-loop.server";
import type { Health } from "../observability/health.server";
import { createRouteMatcher } from "../observability/route-pattern.server";
import type { SetupWarnings } from "../observability/setup-warnings.server";
import type { RequestRecorder } from "../observability/track-request.server";
import { redirectToCanonicalPath } from "./canonical-path.server";
import { createBodyReader } from "./connections.server";
import { chainSteps, createExchange } from "./exchange.server";
import { respondToProbes } from "./health-endpoints.server";
import {
  checkOrigin,
  createSiteAddress,
  echoRequest,
  redirectToSite,
  refuseMalformed,
  watchHops,
} from "./hosts.server";
import type { PageMemory } from "./page-memory.server";
import { type NoteRefusal, refuseOversized } from "./refusals.server";
import { type RenderDependencies, renderInTurn } from "./render-in-turn.server";
import { type ServeFiles, respondWithFiles } from "./static-files.server";

/** Dependencies of the edge. */
export interface EdgeDependencies extends RenderDependencies {
  settings: Settings;
  secrets: Pick<Secrets, "derive">;
  timeouts: Timeouts;
  health: Health;
  requests: RequestRecorder;
  /** Headers of every response, by name. */
  defaultHeaders: Record<string, string>;
  memory: PageMemory;
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
  const { settings, timeouts, failures, health, requests, defaultHeaders, memory } = dependencies;
  const bodies = createBodyReader(settings.trustedProxies, timeouts.body, dependencies.noteRefusal);
  const siteAddress = createSiteAddress(settings);
  const findRoute = createRouteMatcher(dependencies.routes);
  const defaults = Object.entries(defaultHeaders);

  const run = chainSteps([
    refuseOversized,
    respondToProbes(health, failures),
    refuseMalformed(settings),
    echoRequest(settings, dependencies.secrets),
    watchHops(settings, dependencies.warn),
    redirectToSite(siteAddress),
    checkOrigin(settings, siteAddress),
    respondWithFiles(dependencies.serveFiles),
    redirectToCanonicalPath,
    memory.respond(findRoute),
    renderInTurn(dependencies, bodies, findRoute),
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
