/**
 * As `fetch`, but fails unless the whole response, including its body, arrives within the timeout.
 *
 * Uses its own controller and timer: Node 20 may garbage-collect `AbortSignal.any([AbortSignal.timeout(…)])` before it
 * fires, and the call would then hang forever.
 * Follows no redirect, unless the caller wants it: after a 307 or 308, the body and the headers with our keys would go to
 * another host.
 * @param base makes the call
 * @throws DOMException "TimeoutError" after the timeout; the caller's own reason when their signal is aborted
 */
export async function fetchWithTimeout(
  base: typeof fetch,
  timeoutMs: number,
  ...[input, init]: Parameters<typeof fetch>
): Promise<Response> {
  if (timeoutMs <= 0) throw timeoutError();
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(timeoutError()), timeoutMs);
  const abort = () => controller.abort(init?.signal?.reason);
  if (init?.signal?.aborted) abort();
  init?.signal?.addEventListener("abort", abort, { once: true });
  try {
    const response = await base(input, { redirect: "manual", ...init, signal: controller.signal });
    // The body may hang as well as the headers.
    const body = await response.arrayBuffer();
    return new Response(mayHaveBody(response.status) ? body : null, response);
  } finally {
    clearTimeout(timer);
    init?.signal?.removeEventListener("abort", abort);
  }
}

function timeoutError(): DOMException {
  return new DOMException("The backend took too long.", "TimeoutError");
}

/** False for the Fetch standard's null body statuses, for which the Response constructor rejects even an empty body. */
function mayHaveBody(status: number): boolean {
  return ![101, 103, 204, 205, 304].includes(status);
}

/**
 * Detects a 200 without a body. Supabase services never send one; they send 204 when there is no content. It comes from
 * a gateway that does not know the path (Caddy's default), and the request had no effect.
 */
export async function isEmptySuccess(response: Response): Promise<boolean> {
  return response.status === 200 && (await response.clone().arrayBuffer()).byteLength === 0;
}

/** Returns a failure to replace an empty 200, so that callers notice it. Its code is `empty-answer`. */
export function createEmptyBodyFailure(): Response {
  return Response.json({ code: "empty-answer", message: "a gateway answered, not the service" }, { status: 502 });
}
