import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import onHeaders from "on-headers";
import type { Settings } from "../config/settings.server";
import type { Timeouts } from "../config/timeouts.server";
import type { RateLimits } from "../limits/rate-limit.server";
import type { Health } from "../observability/health.server";
import { createFindRoute } from "../observability/route-pattern.server";
import type { SetupWarnings } from "../observability/setup-warnings.server";
import { type RequestRecorder, rejected } from "../observability/track-request.server";
import type { BusyPage } from "./memory/busy-page.server";
import type { PageMemory } from "./memory/page-memory.server";
import { redirectToCanonicalPath } from "./edge/canonical-path.server";
import { type Exchange, inOrder } from "./edge/exchange.server";
import { createHopWatch } from "./edge/hop-watch.server";
import { refuseMalformed } from "./edge/malformed-request.server";
import { createBodyReader } from "./edge/posted-body.server";
import type { NoteRefusal } from "./edge/refusal-report.server";
import type { RequestFailures } from "./edge/request-failures.server";
import { judgeOrigin } from "./edge/request-origin.server";
import { refuseOversized } from "./edge/request-size.server";
import { createSiteAddress, redirectToSite } from "./edge/site-address.server";
import { answerProbes } from "./health-endpoints.server";
import { type PolicyDirective, takeReports } from "./policy-reports.server";
import { renderInTurn } from "./render-in-turn.server";
import { type ServeFiles, respondWithFiles } from "./static-files.server";

/** Dependencies of the edge. */
export interface EdgeDependencies {
  settings: Settings;
  timeouts: Timeouts;
  failures: RequestFailures;
  health: Health;
  requests: RequestRecorder;
  /** of every response, by name */
  defaultHeaders: Record<string, string>;
  routes: ServerBuild["routes"];
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** for every loader and action, beside what belongs to the request */
  loadContext: AppLoadContext;
  /** null in development, where every page is rendered anew */
  memory: PageMemory | null;
  busyPage: BusyPage;
  limits: Pick<RateLimits, "countPost" | "countReport">;
  /** counts and logs what finds no place */
  noteRefusal: NoteRefusal;
  /** counts what the content security policy has kept out of a page */
  countViolation: (directive: PolicyDirective) => void;
  /** takes what requests reveal of a mistake in how the site is set up */
  warn: SetupWarnings["add"];
  serveFiles: ServeFiles;
}

/**
 * Creates the way of a request through the edge of the process. Before it, connections are bounded, and each has one
 * request at a time (http-server).
 */
export function createEdge(dependencies: EdgeDependencies): RequestListener {
  const { settings, timeouts, failures, health, requests, defaultHeaders, limits, memory } = dependencies;
  const bodies = createBodyReader({ settings, timeouts, note: dependencies.noteRefusal });
  const siteAddress = createSiteAddress(settings);
  const findRoute = createFindRoute(dependencies.routes);
  const watchHops = createHopWatch(settings, dependencies.warn);
  const defaults = Object.entries(defaultHeaders);

  const run = inOrder([
    refuseOversized,
    answerProbes(health, failures),
    refuseMalformed(settings),
    ({ request }, next) => {
      watchHops(request);
      next();
    },
    redirectToSite(siteAddress),
    takeReports({ ...dependencies, ...limits, bodies }),
    judgeOrigin(settings, siteAddress),
    respondWithFiles(dependencies.serveFiles),
    redirectToCanonicalPath,
    ...(memory === null ? [] : [memory.respond(findRoute)]),
    renderInTurn({ ...dependencies, ...limits, bodies, findRoute }),
  ]);

  return failures.guard((request, response) => {
    const exchange: Exchange = { request, response, requestId: randomUUID(), route: rejected, isSameOrigin: false };
    requests.track(exchange);
    if (health.isDraining()) response.shouldKeepAlive = false;
    bodies.endUnread(request, response);
    // Last of all, so that no response leaves without them.
    onHeaders(response, () => {
      if (health.isDraining()) response.shouldKeepAlive = false;
      for (const [name, value] of defaults) if (!response.hasHeader(name)) response.setHeader(name, value);
    });
    run(exchange);
  });
}
