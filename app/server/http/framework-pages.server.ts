import type { IncomingMessage, RequestListener } from "node:http";
import { constants } from "node:zlib";
import { createRequestHandler } from "@remix-run/express";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import compression from "compression";
import express, { type ErrorRequestHandler } from "express";
import { describeError, logProblem } from "../log.server";
import { answerPlainly } from "./plain-answer.server";

/**
 * Everything that the framework answers: pages, data for scripts, and what becomes of a post.
 * @param contextOf what loaders and actions are told of a request
 */
export function createFrameworkPages(
  build: ServerBuild,
  contextOf: (request: IncomingMessage) => AppLoadContext,
): RequestListener {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  // Quality 5: a tenth of a page's rendering time for nine tenths of what the best quality saves.
  app.use(compression({ brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } }));
  app.all("*", createRequestHandler({ build, getLoadContext: contextOf }));
  /** Express knows an error handler by its four parameters. */
  const answerFailure: ErrorRequestHandler = (error, request, response, _next) => {
    logProblem({ event: "request.failed", requestId: contextOf(request).requestId, ...describeError(error) });
    if (response.headersSent) response.destroy();
    else answerPlainly(response, 500, "Something went wrong on our side. Try again in a minute.\n");
  };
  app.use(answerFailure);
  return app;
}
