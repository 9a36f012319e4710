import { fetchWithTimeout } from "#supabase/functions/_shared/fetch-with-timeout";
import { withTimeout } from "~/lib/with-timeout";

/** A call to the backend that has not answered by then counts as failed: a visitor waits for one call at most. */
export const backendTimeoutMs = 2_000;

/**
 * Wraps a `fetch` so that no call outlasts the timeout, and none begins after the deadline of a whole request.
 * @param deadline a point of `performance.now()`
 */
export function timedFetch(base: typeof fetch, deadline = Infinity): typeof fetch {
  return (...call) => fetchWithTimeout(base, Math.min(backendTimeoutMs, deadline - performance.now()), ...call);
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
