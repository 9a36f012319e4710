import { type IncomingMessage, ServerResponse } from "node:http";
import { isPrefetch } from "~/lib/http/prefetch";
import type { AccessLog, CompletedRequest } from "./access-log.server";
import type { ProductMetrics } from "./product-metrics.server";

/** A request in flight, as needed for logs and metrics. The step that responds to it sets `route`. */
export interface TrackedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** id of the request in the log */
  readonly requestId: string;
  /** pattern, never a path; `null` for probes, which are neither logged nor counted */
  route: string | null;
}

/** nginx's status for "client closed request": no response had begun. */
export const clientClosedRequest = 499;

/** Route of requests that are rejected before routing. */
export const rejected = "(refused)";

/** Logs and counts the requests of one site. */
export type RequestRecorder = ReturnType<typeof createRequestRecorder>;

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
) {
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
    /** Records a completed request. */
    record: (completed: CompletedRequest) => record(completed),
    /** Begins to measure a request. @returns a function that records it once its response has closed, complete or not */
    begin: (tracked: TrackedRequest) => measure(tracked, (completed) => record(completed, tracked.request)),
  };
}

function measure(tracked: TrackedRequest, record: (request: CompletedRequest) => void): () => void {
  const { request, response, requestId } = tracked;
  const at = performance.now();
  return () => {
    if (tracked.route === null) return;
    const bytes = request.method === "HEAD" || !(response instanceof MeasuredResponse) ? 0 : response.bodyBytes;
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
  };
}

/** Counts the bytes of its body after compression: a chunked response has no header with its size. */
export class MeasuredResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  bodyBytes = 0;

  override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    this.#count(chunk, encoding);
    return super.write(chunk, encoding as BufferEncoding, callback as () => void);
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    this.#count(chunk, encoding);
    return super.end(chunk, encoding as BufferEncoding, callback as () => void);
  }

  #count(chunk: unknown, encoding: unknown): void {
    if (typeof chunk === "string")
      this.bodyBytes += Buffer.byteLength(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8");
    else if (chunk instanceof Uint8Array) this.bodyBytes += chunk.byteLength;
  }
}
