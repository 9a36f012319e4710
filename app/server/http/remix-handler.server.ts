import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type AppLoadContext, type RequestHandler, type ServerBuild, createRequestHandler } from "@remix-run/node";
import type { RequestFailures } from "./edge/request-failures.server";
import { createSendResponse } from "./send-response.server";

/** A request that has left the render queue. */
export interface RenderJob {
  request: IncomingMessage;
  /** id of its route in the build */
  route: string;
  /** context for loaders and actions */
  context: AppLoadContext;
}

/**
 * Renders one request.
 * @param done called once rendering is complete, even if the client has not received everything yet
 */
export type RenderRequest = (job: RenderJob, response: ServerResponse, done: () => void) => void;

/** Creates the renderer for everything that the framework serves: pages, data for scripts, and results of posts. */
export function createRemixHandler(
  build: ServerBuild | (() => Promise<ServerBuild>),
  failures: RequestFailures,
): RenderRequest {
  const handlers = new Map<string, RequestHandler>();
  const sendResponse = createSendResponse();

  /**
   * Returns the handler of a route, created at its first request. In development the build is a function, called for
   * each request; one handler then serves all routes.
   */
  function getHandler(route: string): RequestHandler {
    const key = typeof build === "function" ? "" : route;
    const known = handlers.get(key);
    if (known !== undefined) return known;
    const handler = createRequestHandler(
      typeof build === "function" ? build : withOneRoute(build, route),
      process.env.NODE_ENV,
    );
    handlers.set(key, handler);
    return handler;
  }

  async function respond({ request, route, context }: RenderJob, response: ServerResponse): Promise<void> {
    let document: string | null = null;
    const setDocument = (html: string) => (document = html);
    const rendered = await getHandler(route)(toRequest(request, response), { ...context, setDocument });
    await sendResponse(request, response, rendered, document);
  }

  return (job, response, done) => {
    void respond({ ...job, context: { ...job.context, leaveRenderQueue: done } }, response)
      .catch((error: unknown) => failures.end(error, response, job.context.requestId))
      .finally(done);
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
    typeof value === "string"
      ? [[name, value] as [string, string]]
      : (value ?? []).map((each): [string, string] => [name, each]),
  );
}

/**
 * Reduces a build to one route and its root. The router prepares all routes that it receives again for each request,
 * four times over, but the matching route is known by then.
 */
export function withOneRoute(build: ServerBuild, id: string): ServerBuild {
  const only = <T>(routes: Record<string, T>) =>
    Object.fromEntries(Object.entries(routes).filter(([name]) => name === "root" || name === id));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}
