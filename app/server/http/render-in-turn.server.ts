import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import { addressOf, findClientGroup } from "~/lib/http/client-address";
import type { Settings } from "../config/settings.server";
import type { Timeouts } from "../config/timeouts.server";
import { maxFormBytes } from "../forms/read-form.server";
import { type CountedPost, type RateLimits, findPostBucket } from "../limits/rate-limit.server";
import { createRenderQueue, maxWaitingRenders } from "../limits/render-queue.server";
import type { RouteMatcher, RouteMatch } from "../observability/route-pattern.server";
import type { BusyPage } from "./memory/busy-page.server";
import type { Exchange, Step } from "./edge/exchange.server";
import type { BodyReader } from "./edge/posted-body.server";
import type { RequestFailures } from "./edge/request-failures.server";
import { createRemixHandler } from "./remix-handler.server";

/** Dependencies of the render step. */
export interface RenderDependencies {
  settings: Pick<Settings, "rendersAtOnce" | "trustedProxies">;
  timeouts: Pick<Timeouts, "renderQueue">;
  failures: RequestFailures;
  bodies: BodyReader;
  countPost: RateLimits["countPost"];
  refundPost: RateLimits["refundPost"];
  busyPage: BusyPage;
  routes: ServerBuild["routes"];
  build: ServerBuild | (() => Promise<ServerBuild>);
  findRoute: RouteMatcher;
  /** Context of every loader and action; each request adds its own fields. */
  loadContext: AppLoadContext;
}

/**
 * Creates the last step, which reads and counts a post, waits for a slot in the render queue, and runs the framework.
 */
export function renderInTurn(dependencies: RenderDependencies): Step {
  const { settings, timeouts, failures, bodies, busyPage, routes, findRoute } = dependencies;
  const render = createRemixHandler(dependencies.build, failures);
  const queue = createRenderQueue({
    running: settings.rendersAtOnce,
    waiting: maxWaitingRenders,
    waitMs: timeouts.renderQueue,
  });

  /** Counts a post, unless its action would reject it unread. */
  async function count({ pattern, id }: RouteMatch, address: string, body: Buffer): Promise<CountedPost | undefined> {
    const bucket = findPostBucket(pattern);
    if (bucket === null || routes[id]?.module.action === undefined || body.length > maxFormBytes) return undefined;
    return { bucket, rate: await dependencies.countPost(address, bucket) };
  }

  async function enterQueue({ request, response, requestId, isSameOrigin }: Exchange, route: RouteMatch) {
    const isForm = request.method === "POST";
    const refuse = () => failures.attempt(response, () => busyPage.respond(request, response));
    const body = isForm ? await bodies.read(request, response) : undefined;
    if (body === null) return;
    const address = addressOf(request, settings.trustedProxies);
    const groups = { ...findClientGroup(address), isForm };
    // A post that the queue refuses, now or later, does not count: the busy page asks the visitor to send it again.
    if (!queue.hasRoom(groups)) return refuse();
    const countedPost = body && isSameOrigin ? await count(route, address, body) : undefined;
    if (response.destroyed) return;
    const peerAddress = request.socket.remoteAddress ?? "";
    const context = { ...dependencies.loadContext, requestId, isSameOrigin, body, peerAddress, countedPost };
    const leave = queue.enter({
      ...groups,
      isOverLimit: countedPost?.rate.allowed === false,
      start: (done) => render({ request, route: route.id, context }, response, done),
      refuse: () => {
        if (countedPost?.rate.allowed) void dependencies.refundPost(address, countedPost.bucket);
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
