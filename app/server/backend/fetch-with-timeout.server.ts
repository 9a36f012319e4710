/**
 * Wraps a `fetch` so that no call outlasts the timeout, and none begins after the deadline of a whole request.
 *
 * A controller and a timer of our own: Node 20 may collect `AbortSignal.any([AbortSignal.timeout(…)])` as garbage
 * before it fires, and the call then hangs for ever.
 * @param timeoutMs for each call, its body included
 * @param deadline a point of `performance.now()`
 */
export function fetchWithTimeout(base: typeof fetch, timeoutMs: number, deadline = Infinity): typeof fetch {
  return async (input, init) => {
    const remainingMs = Math.min(timeoutMs, deadline - performance.now());
    if (remainingMs <= 0) throw new DOMException("The backend took too long.", "TimeoutError");
    const controller = new AbortController();
    const abort = () => controller.abort(new DOMException("The backend took too long.", "TimeoutError"));
    const timer = setTimeout(abort, remainingMs);
    if (init?.signal?.aborted) abort();
    init?.signal?.addEventListener("abort", abort, { once: true });
    try {
      const response = await base(input, { ...init, signal: controller.signal });
      // The body may hang as well as the head.
      const body = await response.arrayBuffer();
      return new Response(mayHaveBody(response.status) ? body : null, response);
    } finally {
      clearTimeout(timer);
      init?.signal?.removeEventListener("abort", abort);
    }
  };
}

/** The Fetch standard's null body statuses: a Response with one of them refuses even an empty body. */
function mayHaveBody(status: number): boolean {
  return ![101, 103, 204, 205, 304].includes(status);
}

/**
 * Waits for work that retries on its own, up to the deadline.
 * @param deadline a point of `performance.now()`
 * @throws DOMException "TimeoutError" when it is not done by then
 */
export function withDeadline<T>(deadline: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(new DOMException("The backend took too long.", "TimeoutError"));
    const timer = setTimeout(tooLate, Math.max(0, deadline - performance.now()));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
