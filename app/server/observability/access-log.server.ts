import { type LineSink, formatEvent } from "./log.server";

/** A request as the log holds it: nothing that a visitor wrote, not even its path. */
export interface CompletedRequest {
  requestId: string;
  /** pattern, e.g. `/admin/requests/:requestId`: real paths can hold names, and queries tokens */
  route: string;
  method: string;
  status: number;
  durationMs: number;
  /** of the body as it was sent, compressed or not */
  bytes: number;
  /** the visitor went away before the answer was complete */
  aborted?: boolean;
  /** the browser asked before its visitor did */
  prefetch?: boolean;
}

/**
 * Lines wait no longer than this, and no more of them than this many characters: a quarter of what a pipe holds, so that a
 * write does not have to wait for a reader who is a little behind.
 */
const maxWaitMs = 100;
const maxWaitingCharacters = 16 * 1024;

/** Writes one JSON line a request. */
export interface AccessLog {
  record(request: CompletedRequest): void;
  /** writes what waits, at once */
  flush(): void;
  /** flushes, and lets the process go */
  close(): void;
}

/**
 * Writes many lines at a time: a write of its own would cost a page from memory more than its answer. A process that is
 * killed loses the lines of its last tenth of a second; problems are written at once, elsewhere (`Log`).
 */
export function createAccessLog(output: LineSink = process.stdout): AccessLog {
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === "") return;
    const lines = waiting;
    waiting = "";
    // One byte a character, since a line is ASCII: it need not be looked through.
    output.write(lines, "latin1");
  }
  process.on("exit", flush);
  function append(line: string): void {
    waiting += line;
    if (waiting.length >= maxWaitingCharacters) flush();
    else timer ??= setTimeout(flush, maxWaitMs).unref();
  }

  return {
    record: (request) => append(formatRequest(request)),
    flush,
    close() {
      flush();
      process.off("exit", flush);
    },
  };
}

function formatRequest(request: CompletedRequest): string {
  const { requestId, route, method, status, durationMs, bytes, aborted, prefetch } = request;
  return formatEvent("info", {
    event: "request",
    requestId,
    route,
    method,
    status,
    durationMs: Math.round(durationMs * 100) / 100,
    bytes,
    aborted: aborted || undefined,
    prefetch: prefetch || undefined,
  });
}
