import { randomUUID } from "node:crypto";
import type { BirpcReturn } from "birpc";
import { rejectOnAbort } from "#supabase/embedded/session/mutex";

/** A request as structured data. */
interface RequestMessage {
  url: string;
  method: string;
  headers: [string, string][];
  body: ArrayBuffer | null;
}

/** A response as structured data. */
interface ResponseMessage {
  status: number;
  headers: [string, string][];
  body: ArrayBuffer | null;
}

/** Functions that another thread calls to fetch through this one. */
export interface FetchFunctions {
  /** @param id of this fetch, for `abortFetch` */
  fetch(id: string, request: RequestMessage): Promise<ResponseMessage>;
  abortFetch(id: string): void;
}

/**
 * Fetches through another thread. Bodies are sent in one piece: the embedded backend never streams.
 * @throws what the other thread throws; or immediately the reason of the request's signal, which also aborts the other
 *   thread's fetch
 */
export async function fetchThrough(
  thread: Pick<BirpcReturn<FetchFunctions>, keyof FetchFunctions>,
  request: Request,
): Promise<Response> {
  const { url, method, headers, signal } = request;
  const body = request.body && (await request.arrayBuffer());
  signal.throwIfAborted();
  const id = randomUUID();
  const abort = () => void thread.abortFetch(id).catch(() => {});
  signal.addEventListener("abort", abort, { once: true });
  try {
    const response = await rejectOnAbort(thread.fetch(id, { url, method, headers: [...headers], body }), signal);
    return new Response(response.body, response);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Creates the functions for `fetchThrough` from a `fetch` of this thread. */
export function createFetchFunctions(fetch: (request: Request) => Promise<Response>): FetchFunctions {
  const running = new Map<string, AbortController>();
  return {
    async fetch(id, { url, ...init }) {
      const controller = new AbortController();
      running.set(id, controller);
      try {
        const response = await fetch(new Request(url, { ...init, signal: controller.signal }));
        const { status, headers } = response;
        return { status, headers: [...headers], body: response.body && (await response.arrayBuffer()) };
      } finally {
        running.delete(id);
      }
    },
    abortFetch: (id) => running.get(id)?.abort(),
  };
}
