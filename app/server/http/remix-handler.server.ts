import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type AppLoadContext, type RequestHandler, type ServerBuild, createRequestHandler } from "@remix-run/node";
import type { RequestFailures } from "./edge/request-failures.server";
import { createSendResponse } from "./send-response.server";

/** A request whose turn it is. */
export interface RenderTurn {
  request: IncomingMessage;
  /** id of the route that answers it, as the build lists it */
  route: string;
  /** what loaders and actions are told of it */
  context: AppLoadContext;
}

/**
 * Renders one request.
 * @param done called once nothing is left to be computed, though the visitor may not have read all of it yet
 */
export type RenderRequest = (turn: RenderTurn, response: ServerResponse, done: () => void) => void;

/** Everything that the framework answers: pages, data for scripts, and what becomes of a post. */
export function createRemixHandler(
  build: ServerBuild | (() => Promise<ServerBuild>),
  failures: RequestFailures,
): RenderRequest {
  const handlers = new Map<string, RequestHandler>();
  const sendResponse = createSendResponse();

  /** One a route, made at its first request; of an unfinished build, which development gives anew each time, one for all. */
  function findHandler(route: string): RequestHandler {
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

  async function answer({ request, route, context }: RenderTurn, response: ServerResponse): Promise<void> {
    let document: string | null = null;
    const takeDocument = (html: string) => (document = html);
    const answered = await findHandler(route)(toRequest(request, response), { ...context, takeDocument });
    await sendResponse(request, response, answered, document);
  }

  return (turn, response, done) => {
    void answer({ ...turn, context: { ...turn.context, leaveRenderQueue: done } }, response)
      .catch((error: unknown) => failures.end(error, response, turn.context.requestId))
      .finally(done);
  };
}

/** The request as loaders and actions read it, its body aside (`context.body`); aborted when its answer is over, or its visitor went away before. */
function toRequest(request: IncomingMessage, response: ServerResponse): Request {
  const controller = new AbortController();
  // With a reason of its own the end costs no error; Remix waits for it to forget the request.
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
 * The build as far as one address needs it. The router prepares all the routes that it is given anew for each request, four
 * times over; which of them answers is known by then.
 */
export function withOneRoute(build: ServerBuild, id: string): ServerBuild {
  const only = <T>(routes: Record<string, T>) =>
    Object.fromEntries(Object.entries(routes).filter(([name]) => name === "root" || name === id));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}
