import type { IncomingMessage, ServerResponse } from "node:http";
import { type FindRoute, anyOther } from "../observability/route-pattern.server";
import type { RequestRecorder, RequestStart } from "../observability/track-request.server";
import type { CacheHandler } from "./cache/cache-handler.server";
import { findCanonicalPath } from "./edge/canonical-path.server";
import { decodePath } from "./edge/reject-malformed-request.server";
import { isProbe } from "./health-endpoints.server";
import { sendText } from "./send-text.server";

/**
 * Answers a request for the firm's own pages that cannot be an admin's.
 * @param pattern of the page
 * @returns the headers of a redirect to the sign-in page; null for whoever may have a session
 */
export type TurnAway = (pattern: string, request: IncomingMessage) => Record<string, string> | null;

/** What it is made of. */
export interface AnswerAtOnceDependencies {
  cache: CacheHandler;
  requests: RequestRecorder;
  turnAway: TurnAway;
  findRoute: FindRoute;
  /** whether a decoded path is one of the site's files */
  isFile: (path: string) => boolean;
  /** of every answer, by name */
  defaultHeaders: Record<string, string>;
}

/** @returns whether it has answered; else nothing of the request has been touched */
export type AnswerAtOnce = (request: IncomingMessage, response: ServerResponse, start: RequestStart) => boolean;

/**
 * Answers what needs no rendering although its address is no page's in memory: paths that no route knows, and strangers
 * who ask for the firm's own pages. Most of it is what robots ask for, so it stands ahead of all that other requests need.
 */
export function createAnswerAtOnce(dependencies: AnswerAtOnceDependencies): AnswerAtOnce {
  const { cache, requests, turnAway, findRoute, isFile, defaultHeaders } = dependencies;

  function redirect(request: IncomingMessage, response: ServerResponse, start: RequestStart, route: string): boolean {
    const headers = turnAway(route, request);
    if (headers === null) return false;
    sendText(response, 303, "", { ...defaultHeaders, ...headers });
    requests.recordAtOnce(request, start, route, { status: 303, bytes: 0 });
    return true;
  }

  return (request, response, start) => {
    const { method, url = "" } = request;
    if ((method !== "GET" && method !== "HEAD") || isProbe(url)) return false;
    const path = decodePath(url);
    if (path === null || isFile(path) || isDataRequest(path) || findCanonicalPath(url) !== null) return false;
    const { pattern } = findRoute(url);
    if (pattern === anyOther) return cache.handleMissing(request, response, start);
    return redirect(request, response, start, pattern);
  };
}

/** Whether a page's script asks for data alone (Remix, "single fetch"). */
function isDataRequest(path: string): boolean {
  return path.endsWith(".data");
}
