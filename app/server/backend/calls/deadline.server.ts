import { fetchWithTimeout } from "#supabase/functions/_shared/host/fetch-with-timeout";
import { withTimeout } from "~/lib/with-timeout";

/**
 * Wraps a `fetch` so that no call exceeds the timeout and none starts after the deadline of the request.
 * @param timeoutMs for each call, its body included
 * @param deadline a point of `performance.now()`
 */
export function fetchWithDeadline(base: typeof fetch, timeoutMs: number, deadline = Infinity): typeof fetch {
  return (...call) => fetchWithTimeout(base, Math.min(timeoutMs, deadline - performance.now()), ...call);
}

/**
 * Waits for work with its own retries, up to the deadline.
 * @param deadline a point of `performance.now()`
 * @throws DOMException "TimeoutError" when the work is not finished by then
 */
export function waitUntil<T>(deadline: number, work: Promise<T>): Promise<T> {
  return withTimeout(work, deadline - performance.now(), () => {
    throw new DOMException("The backend took too long.", "TimeoutError");
  });
}
