import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type AppLoadContext, type RequestHandler, type ServerBuild, createRequestHandler } from "@remix-run/node";
import { addressOf, findClientGroup } from "~/lib/http/client-address";
import { maxFormBytes } from "../forms/read-form.server";
import { type CountedPost, findPostBucket } from "../limits/rate-limit.server";
import { createRenderQueue, renderLimits } from "../limits/render-queue.server";
import type { RouteMatch, RouteMatcher } from "../observability/route-pattern.server";
import type { SiteContext } from "../site-context.server";
import type { BodyReader } from "./connections.server";
import type { Exchange, Step } from "./exchange.server";
import type { PageMemory } from "./page-memory.server";
import type { RequestFailures } from "./refusals.server";
import { createSendResponse } from "./send-response.server";

/** Parts of a site that the render step uses beside the context. */
export interface RenderParts {
  failures: RequestFailures;
  memory: Pick<PageMemory, "respondBusy">;
  routes: ServerBuild["routes"];
  build: ServerBuild | (() => Promise<ServerBuild>);
}

/**
 * Creates the last step, which reads and counts a post, waits for a slot in the render queue, and runs the framework
 * for everything that it serves: pages, data for scripts, and results of posts.
 */
export function renderInTurn(
  site: SiteContext,
  { failures, memory, routes, build }: RenderParts,
  bodies: BodyReader,
  findRoute: RouteMatcher,
): Step {
  const { settings, timeouts, limits } = site;
  const handlers = new Map<string, RequestHandler>();
  const sendResponse = createSendResponse();
  const queue = createRenderQueue({ ...renderLimits, waitMs: timeouts.renderQueue });

  /**
   * Returns the handler of a route, created at its first request. In development the build is a function, called for
   * each request; one handler then serves all routes.
   */
  function getHandler(route: string): RequestHandler {
    const key = typeof build === "function" ? "" : route;
    const known = handlers.get(key);
    if (known !== undefined) return known;
    const served = typeof build === "function" ? build : withOneRoute(build, route);
    const handler = createRequestHandler(served, process.env.NODE_ENV);
    handlers.set(key, handler);
    return handler;
  }

  async function render({ request, response }: Exchange, route: string, context: AppLoadContext): Promise<void> {
    const rendered = await getHandler(route)(toRequest(request, response), context);
    await sendResponse(request, response, rendered);
  }

  /** Counts a post, unless its action would reject it unread. */
  async function count({ pattern, id }: RouteMatch, address: string, body: Buffer): Promise<CountedPost | undefined> {
    const bucket = findPostBucket(pattern);
    if (bucket === null || routes[id]?.module.action === undefined || body.length > maxFormBytes) return undefined;
    return { bucket, rate: await limits.countPost(address, bucket) };
  }

  async function enterQueue(exchange: Exchange, route: RouteMatch): Promise<void> {
    const { request, response, requestId, isSameOrigin } = exchange;
    const isForm = request.method === "POST";
    const refuse = () => failures.attempt(response, () => memory.respondBusy(request, response));
    const body = isForm ? await bodies.read(request, response) : undefined;
    if (body === null) return;
    const address = addressOf(request, settings.trustedProxies);
    const groups = { ...findClientGroup(address), isForm };
    // A post that the queue refuses, now or later, does not count: the busy page asks the visitor to send it again.
    if (!queue.hasRoom(groups)) return refuse();
    const countedPost = body && isSameOrigin ? await count(route, address, body) : undefined;
    if (response.destroyed) return;
    const peerAddress = request.socket.remoteAddress ?? "";
    const context = { site, requestId, isSameOrigin, body, peerAddress, countedPost };
    const leave = queue.enter({
      ...groups,
      isOverLimit: countedPost?.rate.allowed === false,
      // Rendering is complete although the client may not have received everything yet.
      start: (done) =>
        void render(exchange, route.id, { ...context, leaveRenderQueue: done })
          .catch((error: unknown) => failures.end(error, response, requestId))
          .finally(done),
      refuse: () => {
        if (countedPost?.rate.allowed) void limits.refundPost(address, countedPost.bucket);
        refuse();
      },
    });
    response.once("close", leave);
  }

  return (exchange) => {
    const { request, response, requestId } = exchange;
    const route = findRoute(request.url ?? "/");
    exchange.route = route.pattern;
    response.setHeader("X-Request-Id", requestId);
    enterQueue(exchange, route).catch((error: unknown) => failures.end(error, response, requestId));
  };
}

/**
 * Creates the request that loaders and actions read. Its body is in `context.body`. Its signal aborts when the response
 * is complete or the client disconnects.
 */
function toRequest(request: IncomingMessage, response: ServerResponse): Request {
  const controller = new AbortController();
  // An explicit reason saves creating an error at the end. Remix releases the request when its signal aborts.
  response.once("close", () => controller.abort(response.writableFinished ? "answered" : undefined));
  return new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method,
    headers: toHeaders(request.headers),
    signal: controller.signal,
  });
}

function toHeaders(sent: IncomingHttpHeaders): [string, string][] {
  return Object.entries(sent).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
}

/**
 * Reduces a build to one route and its root. The router prepares all routes that it receives again for each request,
 * four times over, but the matching route is known by then.
 */
function withOneRoute(build: ServerBuild, id: string): ServerBuild {
  const only = <T>(routes: Record<string, T>) =>
    Object.fromEntries(Object.entries(routes).filter(([name]) => name === "root" || name === id));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}
