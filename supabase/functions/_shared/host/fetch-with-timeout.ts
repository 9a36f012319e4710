/**
 * As `fetch`, but the whole answer, its body included, is there in time or the call has failed.
 *
 * A controller and a timer of our own: Node 20 may collect `AbortSignal.any([AbortSignal.timeout(…)])` as garbage
 * before it fires, and the call then hangs for ever.
 * @param base makes the call
 * @throws DOMException "TimeoutError" when the time is over; the caller's own reason when their signal is aborted
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
    const answer = await base(input, { ...init, signal: controller.signal });
    // Reading the body may hang as well as the headers.
    const body = await answer.arrayBuffer();
    return new Response(mayHaveBody(answer.status) ? body : null, answer);
  } finally {
    clearTimeout(timer);
    init?.signal?.removeEventListener("abort", abort);
  }
}

function timeoutError(): DOMException {
  return new DOMException("The backend took too long.", "TimeoutError");
}

/** The Fetch standard's null body statuses: a Response with one of them refuses even an empty body. */
function mayHaveBody(status: number): boolean {
  return ![101, 103, 204, 205, 304].includes(status);
}

/**
 * Detects a 200 without a body. No Supabase service sends one: what has nothing to say is 204. It comes from a gateway
 * that does not know the path (Caddy's default), and nothing was done.
 */
export async function isEmptySuccess(answer: Response): Promise<boolean> {
  return answer.status === 200 && (await answer.clone().arrayBuffer()).byteLength === 0;
}

/** Stands in for such a response, so that callers see a failure. Its code is `empty-answer`. */
export function refuseEmptySuccess(): Response {
  return Response.json({ code: "empty-answer", message: "a gateway answered, not the service" }, { status: 502 });
}
