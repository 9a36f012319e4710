/** A call to the backend that has not answered by then counts as failed: a visitor waits for one call at most. */
export const backendTimeoutMs = 2_000;

/**
 * Wraps a `fetch` so that no call outlasts the timeout, or the given deadline of a whole request.
 * @param deadline aborts every call of this client, those that have not begun included
 */
export function timedFetch(base: typeof fetch, deadline?: AbortSignal): typeof fetch {
  return (input, init) => {
    const signals = [init?.signal, deadline, AbortSignal.timeout(backendTimeoutMs)].filter((signal) => signal != null);
    return base(input, { ...init, signal: AbortSignal.any(signals) });
  };
}
