import { setTimeout as wait } from "node:timers/promises";

/**
 * Longest backoff in milliseconds before the second and the third attempt; jitter shortens it to a third at least, so
 * that callers spread.
 */
const backoffsMs = [150, 450];

/** Statuses that gateways and load balancers send while the server behind them is briefly down. */
const transientStatuses = new Set([502, 503, 504, 520, 521, 522, 523, 524]);

/**
 * Wraps a `fetch` so that a GET is retried twice after a broken connection or a gateway error. A POST may have taken
 * effect although no response came, so it is sent once; functions that only read are called by GET. The retries of
 * postgrest-js wait 1, 2 and 4 seconds, longer than a visitor does, and cannot be configured. The caller's signal ends
 * attempts and backoffs; there is no timeout in here.
 */
export function retryReads(base: typeof fetch): typeof fetch {
  return async (input, init) => {
    const backoffs = isRead(input, init) ? backoffsMs : [];
    for (const longestMs of backoffs) {
      const response = await base(input, init).catch(() => null);
      if (response !== null && !transientStatuses.has(response.status)) return response;
      await response?.body?.cancel();
      await waitUnlessAborted(longestMs * (1 / 3 + (Math.random() * 2) / 3), init?.signal);
    }
    return base(input, init);
  };
}

/** @throws the signal's reason, as `fetch` does, if it aborts the wait */
async function waitUnlessAborted(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  await wait(ms, null, { signal: signal ?? undefined }).catch(() => {});
  signal?.throwIfAborted();
}

function isRead(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): boolean {
  const method = init?.method ?? (input instanceof Request ? input.method : "GET");
  return method === "GET" || method === "HEAD";
}
