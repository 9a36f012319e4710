import { fetchWithTimeout } from "#supabase/functions/_shared/host/fetch-with-timeout";
import { withTimeout } from "~/lib/with-timeout";

/**
 * Wraps a `fetch` so that no call outlasts the timeout, and none begins after the deadline of a whole request.
 * @param timeoutMs for each call, its body included
 * @param deadline a point of `performance.now()`
 */
export function fetchWithDeadline(base: typeof fetch, timeoutMs: number, deadline = Infinity): typeof fetch {
  return (...call) => fetchWithTimeout(base, Math.min(timeoutMs, deadline - performance.now()), ...call);
}

/**
 * Waits for work that retries on its own, up to the deadline.
 * @param deadline a point of `performance.now()`
 * @throws DOMException "TimeoutError" when it is not done by then
 */
export function waitUntil<T>(deadline: number, work: Promise<T>): Promise<T> {
  return withTimeout(work, deadline - performance.now(), () => {
    throw new DOMException("The backend took too long.", "TimeoutError");
  });
}
