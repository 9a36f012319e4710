import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds before the second and the third try, at most; the least is a third of it, so that callers spread. */
const backoffsMs = [150, 450];

/** What gateways and load balancers say when what stands behind them is away for a moment. */
const transientStatuses = new Set([502, 503, 504, 520, 521, 522, 523, 524]);

/**
 * Wraps a `fetch` so that a GET whose connection broke, or that met a gateway without a server, is tried twice more. A call that is
 * posted may have been done although no response came, so it is sent once; functions that only read are called by GET.
 * postgrest-js would wait 1, 2 and 4 seconds between tries, longer than a visitor does, and has no setting for that.
 * It keeps no time of its own: the caller's signal ends tries and pauses.
 */
export function retryReads(base: typeof fetch): typeof fetch {
  return async (input, init) => {
    const backoffs = isRead(input, init) ? backoffsMs : [];
    for (const most of backoffs) {
      const response = await base(input, init).catch((error: unknown) => {
        if (init?.signal?.aborted) throw error;
        return null;
      });
      if (response !== null && !transientStatuses.has(response.status)) return response;
      await response?.body?.cancel();
      await waitUnlessAborted(most * (1 / 3 + (Math.random() * 2) / 3), init?.signal);
    }
    return base(input, init);
  };
}

/** @throws the signal's own reason, as `fetch` does, when it ends the pause */
async function waitUnlessAborted(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  await wait(ms, null, { signal: signal ?? undefined }).catch(() => {});
  signal?.throwIfAborted();
}

function isRead(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): boolean {
  const method = init?.method ?? (input instanceof Request ? input.method : "GET");
  return method === "GET" || method === "HEAD";
}
