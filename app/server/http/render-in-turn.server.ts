import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import { addressOf, groupOfClient } from "~/lib/http/client-address";
import type { Settings } from "../config/settings.server";
import type { Timeouts } from "../config/timeouts.server";
import { largestForm } from "../forms/read-form.server";
import { type CountedPost, nameOfPost } from "../limits/counted-post.server";
import type { RateLimits } from "../limits/rate-limit.server";
import { createRenderQueue, maxWaitingRenders } from "../limits/render-queue.server";
import type { FoundRoute } from "../observability/route-pattern.server";
import type { BusyPage } from "./cache/busy-page.server";
import type { BodyReader } from "./edge/posted-body.server";
import type { RequestFailures } from "./edge/request-failures.server";
import { createRemixHandler } from "./remix-handler.server";

/** Dependencies of rendering. */
export interface RenderDependencies {
  settings: Pick<Settings, "rendersAtOnce" | "trustedProxies">;
  timeouts: Pick<Timeouts, "renderQueue">;
  failures: RequestFailures;
  bodies: BodyReader;
  countPost: RateLimits["countPost"];
  busyPage: BusyPage;
  routes: ServerBuild["routes"];
  build: ServerBuild | (() => Promise<ServerBuild>);
  /** for every loader and action, beside what belongs to the request */
  loadContext: AppLoadContext;
}

/** Has the framework respond to a request when it is its turn. */
export type RenderInTurn = (
  request: IncomingMessage,
  response: ServerResponse,
  route: FoundRoute,
  known: { requestId: string; isSameOrigin: boolean },
) => Promise<void>;

/** Creates the way to the framework: read what was posted, count it, wait for a place. */
export function createRenderInTurn(dependencies: RenderDependencies): RenderInTurn {
  const { settings, timeouts, failures, bodies, busyPage, routes } = dependencies;
  const render = createRemixHandler(dependencies.build, failures);
  const queue = createRenderQueue({
    running: settings.rendersAtOnce,
    waiting: maxWaitingRenders,
    waitMs: timeouts.renderQueue,
  });

  /** A post that its action would refuse unread is not counted. */
  async function count({ pattern, id }: FoundRoute, address: string, body: Buffer): Promise<CountedPost | undefined> {
    const what = nameOfPost(pattern);
    if (what === null || routes[id]?.module.action === undefined || body.length > largestForm) return undefined;
    return { what, rate: await dependencies.countPost(address, what) };
  }

  return async (request, response, route, known) => {
    const isForm = request.method === "POST";
    const refuse = () => failures.attempt(response, () => busyPage.respond(request, response));
    const body = isForm ? await bodies.read(request, response) : undefined;
    if (body === null) return;
    const address = addressOf(request, settings.trustedProxies);
    const groups = { ...groupOfClient(address), isForm };
    // Counting may cost a call of the database: a post without a chance of a place is not worth it.
    if (!queue.hasRoom(groups)) return refuse();
    const countedPost = body && known.isSameOrigin ? await count(route, address, body) : undefined;
    if (response.destroyed) return;
    const peerAddress = request.socket.remoteAddress ?? "";
    const context = { ...dependencies.loadContext, ...known, peerAddress, countedPost };
    const leave = queue.enter({
      ...groups,
      isOverLimit: countedPost?.rate.allowed === false,
      start: (done) => render({ request, body, route: route.id, context }, response, done),
      refuse,
    });
    response.once("close", leave);
  };
}
