import { randomUUID } from "node:crypto";
import { type IncomingMessage, type RequestListener, STATUS_CODES, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type Log, describeError } from "../observability/log.server";
import type { CapacityRefusal } from "../observability/product-metrics.server";
import type { RequestRecorder } from "../observability/track-request.server";
import type { Step } from "./exchange.server";

/** Responds with one sentence of plain text, where the site cannot render a page. The sentence says what to do. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, STATUS_CODES[status], { ...headersOf(text), ...headers });
  response.end(text);
}

function headersOf(text: string) {
  return {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
  };
}

/**
 * Size limits of a request. Our longest address has 70 characters, a campaign link about 300, and browsers send about
 * 20 header fields. Within these limits, even code that takes quadratic time stays fast.
 */
const requestLimits = {
  /** characters of the path as sent, percent-encoded */
  path: 512,
  /** characters of the query, its question mark included */
  query: 2_000,
  /** bytes of all `Cookie` fields together */
  cookies: 8_192,
  /** bytes of all header fields, names and values */
  headers: 16_384,
  headerCount: 60,
} as const;

/** Node's own limit for the headers, which counts the address as well. */
export const maxHeaderSize = requestLimits.path + requestLimits.query + requestLimits.headers + 1_024;

/** Rejects a request that is too large with 414 or 431 (RFC 9110, 15.5.15; RFC 6585, 5), and closes its connection. */
export const refuseOversized: Step = ({ request, response }, next) => {
  const refusal = findExcess(request);
  if (refusal === null) next();
  else sendText(response, refusal.status, refusal.text, { Connection: "close" });
};

const longAddress = { status: 414, text: "This address is too long. Open the page from our menu instead.\n" };
const largeHeaders = {
  status: 431,
  text: "Your browser sent too much with this request. Delete this site's cookies and try again.\n",
};

/** Measures the raw headers, because Node's `headers` drops duplicates. */
function findExcess({ url = "", rawHeaders }: IncomingMessage): { status: number; text: string } | null {
  const queryStart = url.indexOf("?");
  const pathLength = queryStart === -1 ? url.length : queryStart;
  if (pathLength > requestLimits.path || url.length - pathLength > requestLimits.query) return longAddress;
  if (rawHeaders.length > 2 * requestLimits.headerCount) return largeHeaders;
  let bytes = 0;
  let cookieBytes = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const size = rawHeaders[at + 1]?.length ?? 0;
    bytes += name.length + size;
    if (name.length === 6 && name.toLowerCase() === "cookie") cookieBytes += size;
  }
  return bytes > requestLimits.headers || cookieBytes > requestLimits.cookies ? largeHeaders : null;
}

const statusByCode: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

/**
 * Creates the listener for Node's `clientError`. It responds to input that is not HTTP, too slow or too large, and
 * closes the connection.
 * @param defaultHeaders added to each response
 */
export function createClientErrorHandler(defaultHeaders: Record<string, string>, requests: RequestRecorder) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = statusByCode[error.code ?? ""] ?? 400;
    const text = `${STATUS_CODES[status]}\n`;
    const fields = { ...defaultHeaders, ...headersOf(text), Connection: "close" };
    const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    const bytes = fields["Content-Length"];
    requests.record({ requestId: randomUUID(), route: "(broken)", method: "", status, durationMs: 0, bytes });
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join("")}\r\n${text}`);
  };
}

/** Records one refused or closed connection or post. */
export type NoteRefusal = (cause: CapacityRefusal) => void;

/** The first refusals are reported together, one second after the first. */
const firstReportMs = 1_000;
const reportEveryMs = 60_000;

/**
 * Creates the report of connections and posts that the edge closes or refuses for lack of a slot. It counts each one,
 * and logs one line per minute and cause, so that an attack cannot fill the log.
 */
export function createRefusalReport(log: Log, count: (cause: CapacityRefusal) => void): NoteRefusal {
  const refusals = new Map<CapacityRefusal, number>();
  let timer: NodeJS.Timeout | undefined;
  let reportedAt = -Infinity;

  function report(): void {
    timer = undefined;
    reportedAt = performance.now();
    for (const [cause, refused] of refusals) log.error({ event: "places.refused", cause, count: refused });
    refusals.clear();
  }

  return (cause) => {
    count(cause);
    refusals.set(cause, (refusals.get(cause) ?? 0) + 1);
    const waitMs = Math.max(firstReportMs, reportedAt + reportEveryMs - performance.now());
    timer ??= setTimeout(report, waitMs).unref();
  };
}

/** Handles unexpected errors of request code, so that none of them ends the process. No method throws. */
export type RequestFailures = ReturnType<typeof createRequestFailures>;

/**
 * Creates the handlers. They log an error's class, code and stack frames, never its message.
 * @param defaultHeaders headers of every response, by name
 */
export function createRequestFailures(log: Log, count: () => void, defaultHeaders: Record<string, string>) {
  /** Logs and counts an error. */
  function note(error: unknown, requestId?: string): void {
    count();
    log.error({ event: "request.failed", requestId, ...describeError(error) });
  }

  /** Logs and counts an error, then ends its request: 500, or a closed connection if the response has already begun. */
  function end(error: unknown, response: ServerResponse, requestId?: string): void {
    note(error, requestId);
    if (response.writableEnded) return;
    try {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      // These headers describe a response that will not be sent, such as a file or a compressed page.
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      sendText(response, 500, "Something went wrong on our side. Try again in a minute.\n", defaultHeaders);
    } catch {
      response.destroy();
    }
  }

  /** Runs one step of a request. If it throws, the request ends. */
  function attempt(response: ServerResponse, step: () => void): void {
    try {
      step();
    } catch (error) {
      end(error, response);
    }
  }

  return {
    note,
    end,
    attempt,
    /** Wraps a listener. If it throws, or its response emits an error, the request ends. */
    guard:
      (listener: RequestListener): RequestListener =>
      (request, response) => {
        // Node emits `error` for a write after the end, and exits if no listener handles it. A disconnected client is not
        // a failure.
        response.on("error", (error) => response.destroyed || end(error, response));
        attempt(response, () => listener(request, response));
      },
  };
}
