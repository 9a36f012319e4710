import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import onHeaders from "on-headers";
import type { EventLoop } from "../observability/event-loop.server";
import type { Health } from "../observability/health.server";
import { createRouteMatcher } from "../observability/route-pattern.server";
import { type RequestRecorder, rejected } from "../observability/track-request.server";
import type { SiteContext } from "../site-context.server";
import { redirectToCanonicalPath } from "./canonical-path.server";
import { createBodyReader } from "./connections.server";
import { type Exchange, chainSteps } from "./exchange.server";
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
import { type RenderParts, renderInTurn } from "./render-in-turn.server";
import { type ServeFiles, respondWithFiles } from "./static-files.server";

/** Parts of a site that its edge uses beside the context. */
export interface EdgeParts extends RenderParts {
  health: Health;
  requests: RequestRecorder;
  /** Headers of every response, by name. */
  defaultHeaders: Record<string, string>;
  memory: PageMemory;
  /** Counts and logs connections and bodies that are refused for lack of a slot. */
  noteRefusal: NoteRefusal;
  /** Receives the routes of requests in flight; undefined where the event loop is not observed. */
  loop: EventLoop | undefined;
  serveFiles: ServeFiles;
}

/**
 * Creates the request listener of the edge: the steps that every request passes, up to rendering. The HTTP server has
 * already limited the connections, and lets each one process one request at a time (http-server).
 */
export function createEdge(site: SiteContext, parts: EdgeParts): RequestListener {
  const { settings, timeouts, setupWarnings } = site;
  const { failures, health, requests, defaultHeaders, memory, loop } = parts;
  const bodies = createBodyReader(settings.trustedProxies, timeouts.body, parts.noteRefusal);
  const siteAddress = createSiteAddress(settings);
  const findRoute = createRouteMatcher(parts.routes);
  const defaults = Object.entries(defaultHeaders);

  const run = chainSteps([
    refuseOversized,
    respondToProbes(health, failures),
    refuseMalformed(settings),
    echoRequest(site),
    watchHops(settings, setupWarnings.add),
    redirectToSite(siteAddress),
    checkOrigin(settings, siteAddress),
    respondWithFiles(parts.serveFiles),
    redirectToCanonicalPath,
    memory.respond(findRoute),
    renderInTurn(site, parts, bodies, findRoute),
  ]);

  return failures.guard((request, response) => {
    const exchange: Exchange = { request, response, requestId: randomUUID(), route: rejected, isSameOrigin: false };
    const record = requests.begin(exchange);
    loop?.enter(exchange);
    response.once("close", () => {
      loop?.leave(exchange);
      record();
    });
    if (health.isDraining()) response.shouldKeepAlive = false;
    bodies.endUnread(request, response);
    // Runs right before the headers are written, so that no response goes out without the defaults.
    onHeaders(response, () => {
      if (health.isDraining()) response.shouldKeepAlive = false;
      for (const [name, value] of defaults) if (!response.hasHeader(name)) response.setHeader(name, value);
    });
    run(exchange);
    // Rendering begins after this turn, so a watcher of a render that never ends knows its route.
    loop?.showRoute();
  });
}
