import type { IncomingMessage, ServerResponse } from "node:http";
import { countRequest } from "./request-metrics.server";
import { logRequest } from "./access-log.server";
import type { AnsweredRequest } from "./request-line.server";
import type { SentPage } from "../http/cache/cached-response.server";

/** A request that has just come: who it is in the log, and when it came, as `performance.now()` tells. */
export interface Arrival {
  readonly requestId: string;
  readonly at: number;
}

/** A request on its way; whoever answers it fills in `route`. */
export interface WatchedRequest {
  readonly requestId: string;
  /** pattern, never a path; `null` for probes, which are neither logged nor counted */
  route: string | null;
}

/** What nginx calls "client closed request": no answer had begun. */
export const gaveUp = 499;

/** Logs and counts a request that has been answered. */
export function recordRequest(request: AnsweredRequest): void {
  logRequest(request);
  countRequest(request.route, request.status, request.durationMs / 1000);
}

/** Records a request that was refused before anybody looked at it. */
export function recordRefused({ method = "" }: IncomingMessage, { requestId, at }: Arrival, sent: SentPage): void {
  recordRequest({ requestId, route: "(refused)", method, durationMs: performance.now() - at, ...sent });
}

/** Records a request once it is over, whether it was answered or its visitor went away. */
export function watchRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, at }: Arrival,
): WatchedRequest {
  const watched: WatchedRequest = { requestId, route: "(refused)" };
  const countBytes = watchBytes(response);
  response.once("close", () => {
    if (watched.route === null) return;
    const bytes = request.method === "HEAD" ? 0 : countBytes();
    recordRequest({
      requestId,
      route: watched.route,
      method: request.method ?? "",
      status: response.headersSent ? response.statusCode : gaveUp,
      durationMs: performance.now() - at,
      bytes,
      // A client that knows the length may hang up before we have noticed that we are done.
      aborted: !response.writableFinished && bytes !== Number(response.getHeader("Content-Length") ?? NaN),
    });
  });
  return watched;
}

/** Counts what is written below compression: no header tells the size of an answer that is sent in chunks. */
function watchBytes(response: ServerResponse): () => number {
  let bytes = 0;
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  const count = (chunk: unknown, encoding: unknown) => {
    if (typeof chunk === "string")
      bytes += Buffer.byteLength(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8");
    else if (chunk instanceof Uint8Array) bytes += chunk.byteLength;
  };
  response.write = ((...given: Parameters<typeof write>) => {
    count(given[0], given[1]);
    return write(...given);
  }) as typeof response.write;
  response.end = ((...given: Parameters<typeof end>) => {
    count(given[0], given[1]);
    return end(...given);
  }) as typeof response.end;
  return () => bytes;
}
