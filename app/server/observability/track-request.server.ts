import type { IncomingMessage, ServerResponse } from "node:http";
import { isPrefetch } from "~/lib/http/prefetch";
import type { AccessLog, CompletedRequest } from "./access-log.server";
import type { ProductMetrics } from "./product-metrics.server";

/** A request in flight, as needed for logs and metrics. The step that responds to it sets `route`. */
export interface TrackedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** pattern, never a path; `null` for probes, which are neither logged nor counted */
  readonly route: string | null;
}

/** nginx's status for "client closed request": no response had begun. */
export const clientClosedRequest = 499;

/** Route of requests that are rejected before routing. */
export const rejected = "(refused)";

/** Logs and counts the requests of one site. */
export interface RequestRecorder {
  /** Records a completed request. */
  record(request: CompletedRequest): void;
  /** Records a request when its response closes, complete or not. */
  track(tracked: TrackedRequest): void;
}

/** Counts a completed request if it is a page view. */
export type CountView = (
  request: Pick<IncomingMessage, "method" | "headers" | "url">,
  route: string,
  status: number,
) => void;

/**
 * Creates the recorder. The response has been sent by then, so errors in here go to `onError` and are never thrown.
 * @param countView null if views are not counted
 */
export function createRequestRecorder(
  accessLog: AccessLog,
  { countRequest }: Pick<ProductMetrics, "countRequest">,
  countView: CountView | null,
  onError: (error: unknown, requestId?: string) => void,
): RequestRecorder {
  function record(completed: CompletedRequest, viewed?: IncomingMessage): void {
    try {
      accessLog.record(completed);
      countRequest(completed);
      if (viewed !== undefined) countView?.(viewed, completed.route, completed.status);
    } catch (error) {
      onError(error, completed.requestId);
    }
  }
  return {
    record: (completed) => record(completed),
    track: (tracked) => trackRequest(tracked, (completed) => record(completed, tracked.request)),
  };
}

function trackRequest(tracked: TrackedRequest, record: (request: CompletedRequest) => void): void {
  const { request, response, requestId } = tracked;
  const at = performance.now();
  const countBytes = watchBytes(response);
  response.once("close", () => {
    if (tracked.route === null) return;
    const bytes = request.method === "HEAD" ? 0 : countBytes();
    record({
      requestId,
      route: tracked.route,
      method: request.method ?? "",
      status: response.headersSent ? response.statusCode : clientClosedRequest,
      durationMs: performance.now() - at,
      bytes,
      prefetch: isPrefetch(request.headers["sec-purpose"]),
      // A client that knows the length may close the connection before our "finish" event.
      aborted: !response.writableFinished && bytes !== Number(response.getHeader("Content-Length") ?? NaN),
    });
  });
}

/** Counts the bytes written after compression: a chunked response has no header with its size. */
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
