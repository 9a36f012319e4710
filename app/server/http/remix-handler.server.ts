import type { IncomingMessage, ServerResponse } from "node:http";
import { constants } from "node:zlib";
import { createRequestHandler } from "@remix-run/express";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import compression from "compression";
import express, { type ErrorRequestHandler } from "express";
import { type Log, describeError } from "../observability/log.server";
import { sendText } from "./send-text.server";

/**
 * Renders one request.
 * @param route id of the route that answers it, as the build lists it
 * @param context what loaders and actions are told of it
 * @param done called once nothing is left to be computed, though the visitor may not have read all of it yet
 */
export type RenderRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  route: string,
  context: AppLoadContext,
  done: () => void,
) => void;

/**
 * Pages are compressed once for one visitor. Of 45 kB quality 4 leaves 12.1 kB in 1.0 ms, quality 5 11.3 kB in 1.6 ms, and the
 * best 10.2 kB in 60 ms. Memory goes with the window: the usual one takes megabytes a page, and no page gains from it.
 */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 } };

/** Everything that the framework answers: pages, data for scripts, and what becomes of a post. */
export function createRemixHandler(build: ServerBuild | (() => Promise<ServerBuild>), log: Log): RenderRequest {
  const underWay = new WeakMap<IncomingMessage, { route: string; context: AppLoadContext; done: () => void }>();
  const contextOf = (request: IncomingMessage) => underWay.get(request)?.context ?? {};
  const handlers = new Map<string, ReturnType<typeof createRequestHandler>>();

  /** One a route, made at its first request; of an unfinished build, which development gives anew each time, one for all. */
  function findHandler(route: string) {
    const key = typeof build === "function" ? "" : route;
    const known = handlers.get(key);
    if (known !== undefined) return known;
    const handler = createRequestHandler({
      build: typeof build === "function" ? build : withOneRoute(build, route),
      getLoadContext: contextOf,
    });
    handlers.set(key, handler);
    return handler;
  }

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use(compression({ brotli }));
  app.all("*", (request, response, next) => {
    const handle = findHandler(underWay.get(request)?.route ?? "");
    void handle(request, response, next).finally(() => underWay.get(request)?.done());
  });
  /** Express knows an error handler by its four parameters. */
  const answerFailure: ErrorRequestHandler = (error, request, response, _next) => {
    log.error({ event: "request.failed", requestId: contextOf(request).requestId, ...describeError(error) });
    if (response.headersSent) response.destroy();
    else sendText(response, 500, "Something went wrong on our side. Try again in a minute.\n");
    underWay.get(request)?.done();
  };
  app.use(answerFailure);
  return (request, response, route, context, done) => {
    underWay.set(request, { route, context, done });
    app(request, response);
  };
}

/**
 * The build as far as one address needs it. The router prepares all the routes that it is given anew for each request, four
 * times over; which of them answers is known by then.
 */
export function withOneRoute(build: ServerBuild, id: string): ServerBuild {
  const only = <T>(routes: Record<string, T>) =>
    Object.fromEntries(Object.entries(routes).filter(([name]) => name === "root" || name === id));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}
