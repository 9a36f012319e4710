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
}

let formattedAt = 0;
let formatted = "";

/**
 * One JSON line. Put together by hand, as JSON.stringify takes five times as long: no part needs escaping, for all of
 * them are our own words or numbers, or one of the methods that Node's parser knows.
 * @param now milliseconds since 1970
 */
export function formatRequestLine(request: AnsweredRequest, now: number): string {
  if (now !== formattedAt) {
    formattedAt = now;
    formatted = new Date(now).toISOString();
  }
  const { requestId, route, method, status, durationMs, bytes, aborted } = request;
  const duration = writeHundredths(Math.round(durationMs * 100));
  return (
    `{"time":"${formatted}","level":"info","event":"request","requestId":"${requestId}","route":"${route}",` +
    `"method":"${method}","status":${status},"durationMs":${duration},"bytes":${bytes}${aborted ? ',"aborted":true' : ""}}\n`
  );
}

/** Fractions of up to ten milliseconds, more than a page from memory takes: they need not be written anew each time. */
const written: string[] = [];
const mostWritten = 1000;

/** @param hundredths a whole number of them, at least 0 */
function writeHundredths(hundredths: number): string {
  if (hundredths >= mostWritten) return String(hundredths / 100);
  return (written[hundredths] ??= String(hundredths / 100));
}
