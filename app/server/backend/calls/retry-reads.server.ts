import { setTimeout as wait } from "node:timers/promises";

/**
 * Functions of the database that only read; each is `stable` there, which a database test checks. Anything else that is
 * posted may have been done although no answer came, so it is never sent twice from here.
 */
export const readingFunctions: readonly string[] = [
  "answer_times",
  "count_requests",
  "find_answer_link",
  "find_data_rights_confirmation",
  "find_data_rights_status",
  "find_request",
  "find_submission",
  "is_admin",
  "list_erasures",
  "list_requests",
  "read_inbox",
];

/** Milliseconds before the second and the third try, at most; the least is a third of it, so that callers spread. */
const pausesMs = [150, 450];

/** What gateways and load balancers say when what stands behind them is away for a moment. */
const passingStatuses = new Set([502, 503, 504, 520, 521, 522, 523, 524]);

/**
 * Wraps a `fetch` so that a read whose connection broke, or that met a gateway without a server, is tried twice more.
 * It keeps no time of its own: the caller's signal ends tries and pauses.
 */
export function retryReads(base: typeof fetch): typeof fetch {
  return async (input, init) => {
    const pauses = isRead(input, init) ? pausesMs : [];
    for (const most of pauses) {
      const answer = await base(input, init).catch((error: unknown) => {
        if (init?.signal?.aborted) throw error;
        return null;
      });
      if (answer !== null && !passingStatuses.has(answer.status)) return answer;
      await answer?.body?.cancel();
      await pause(most * (1 / 3 + (Math.random() * 2) / 3), init?.signal);
    }
    return base(input, init);
  };
}

/** @throws the signal's own reason, as `fetch` does, when it ends the pause */
async function pause(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  await wait(ms, null, { signal: signal ?? undefined }).catch(() => {});
  signal?.throwIfAborted();
}

function isRead(input: Parameters<typeof fetch>[0], init: RequestInit | undefined): boolean {
  const method = init?.method ?? (input instanceof Request ? input.method : "GET");
  if (method === "GET" || method === "HEAD") return true;
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const [, name] = /\/rest\/v1\/rpc\/(\w+)$/.exec(pathname) ?? [];
  return method === "POST" && name !== undefined && readingFunctions.includes(name);
}
