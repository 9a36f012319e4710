import type { LineSink } from "./log.server";

/** Log entry of a request: it holds nothing that a visitor wrote, not even the path. */
export interface CompletedRequest {
  requestId: string;
  /** route pattern, e.g. `/admin/requests/:requestId`: real paths can contain names, and queries tokens */
  route: string;
  method: string;
  status: number;
  durationMs: number;
  /** size of the body as sent, compressed or not */
  bytes: number;
  /** the client disconnected before the response was complete */
  aborted?: boolean;
  /** the browser prefetched the page */
  prefetch?: boolean;
}

/**
 * Limits of the buffer, in time and characters. The latter is a quarter of a pipe's buffer, so that a write does not
 * block while the reader lags a little.
 */
const maxWaitMs = 100;
const maxWaitingCharacters = 16 * 1024;

/** Writes one JSON line for each request. */
export type AccessLog = ReturnType<typeof createAccessLog>;

/**
 * Creates an access log that writes many lines together: a separate write would cost more than serving a cached page. A
 * killed process loses the lines of its last tenth of a second. `Log` writes problems immediately.
 */
export function createAccessLog(output: LineSink = process.stdout) {
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === "") return;
    const lines = waiting;
    waiting = "";
    // Lines are ASCII, and "latin1" skips the scan for other characters.
    output.write(lines, "latin1");
  }
  process.on("exit", flush);
  function append(line: string): void {
    waiting += line;
    if (waiting.length >= maxWaitingCharacters) flush();
    else timer ??= setTimeout(flush, maxWaitMs).unref();
  }

  return {
    record: (request: CompletedRequest) => append(formatRequest(request)),
    /** writes buffered lines immediately */
    flush,
    /** flushes, and removes the exit listener */
    close(): void {
      flush();
      process.off("exit", flush);
    },
  };
}

/** Access log of a site with LOG_REQUESTS=off. */
export const noAccessLog: AccessLog = { record() {}, flush() {}, close() {} };

/**
 * Formats a line as `formatEvent` would, which takes five times as long, and every cached page passes here. Only a route
 * may need escapes.
 */
function formatRequest(request: CompletedRequest): string {
  const { requestId, route, method, status, durationMs, bytes, aborted, prefetch } = request;
  return (
    `{"time":"${new Date().toISOString()}","level":"info","event":"request","requestId":"${requestId}",` +
    `"route":${JSON.stringify(route)},"method":"${method}","status":${status},` +
    `"durationMs":${Math.round(durationMs * 100) / 100},"bytes":${bytes}` +
    `${aborted ? ',"aborted":true' : ""}${prefetch ? ',"prefetch":true' : ""}}\n`
  );
}
