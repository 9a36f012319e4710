/** What is known and may be kept of a request: nothing that a visitor wrote, not even its path. */
export interface AnsweredRequest {
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

/** Fractions of up to ten milliseconds, more than a page from memory takes: they need not be written anew each time. */
const maxKeptHundredths = 1000;

/**
 * Makes the format of request lines: one JSON line. Put together by hand, as JSON.stringify takes five times as long: no
 * part needs escaping, for all of them are our own words or numbers, or one of the methods that Node's parser knows.
 * @returns takes a request and when it was answered, in milliseconds since 1970
 */
export function createRequestLineFormat(): (request: AnsweredRequest, now: number) => string {
  let formattedAt = 0;
  let beginning = "";
  const kept: string[] = [];

  /** @param hundredths a whole number of them, at least 0 */
  function formatDuration(hundredths: number): string {
    if (hundredths >= maxKeptHundredths) return `,"durationMs":${hundredths / 100},"bytes":`;
    return (kept[hundredths] ??= `,"durationMs":${hundredths / 100},"bytes":`);
  }

  return ({ requestId, route, method, status, durationMs, bytes, aborted, prefetch }, now) => {
    if (now !== formattedAt) {
      formattedAt = now;
      beginning = `{"time":"${new Date(now).toISOString()}","level":"info","event":"request","requestId":"`;
    }
    const marks = `${aborted ? ',"aborted":true' : ""}${prefetch ? ',"prefetch":true' : ""}`;
    return (
      `${beginning}${requestId}","route":"${route}","method":"${method}","status":${status}` +
      `${formatDuration(Math.round(durationMs * 100))}${bytes}${marks}}\n`
    );
  };
}
