import { z } from "zod";
import type { SupabaseClients } from "../backend/supabase-clients.server";
import { type Log, describeError } from "../observability/log.server";

/** How often something was counted by all processes together, and when that begins anew. */
export interface HitTotal {
  hits: number;
  secondsLeft: number;
}

interface Waiting {
  hits: number;
  seconds: number;
  listeners: ((total: HitTotal | null) => void)[];
}

const totalsSchema = z.array(z.object({ key: z.string(), hits: z.int(), seconds_left: z.int().positive() }));

/** The database takes no more in one call (migration "rate_limits"). */
const maxBatchSize = 200;
const maxWaiting = 2_000;
/** Batch window for updates that no caller awaits: a flood of posts costs each process at most five calls a second. */
const batchWindowMs = 200;

/** Hits of one key that all processes should know of. */
export interface Hits {
  /** made by an HMAC, never anything readable */
  key: string;
  /** negative ones are taken back */
  hits: number;
  /** how long a count lasts from its first hit */
  seconds: number;
  /** whether a caller awaits the total */
  isUrgent: boolean;
}

/** Shares the counts of rate limits between processes. */
export interface RateLimitSync {
  /**
   * Tells the database of hits and asks for the total. One call is under way at a time and carries whatever has come
   * together meanwhile, so that many posts cost few calls.
   * @returns null when the database is away, refuses, or has no room: then nothing is known. Never rejects.
   */
  exchange(hits: Hits): Promise<HitTotal | null>;
  /** Tells the database at once of what waits. @returns when it knows, or is away */
  close(): Promise<void>;
}

/** @param backoffMs pause after a failure, in which callers get the local count at once */
export function createRateLimitSync(
  { supabase: clients, log }: { supabase: SupabaseClients; log: Log },
  backoffMs: number,
): RateLimitSync {
  let waiting = new Map<string, Waiting>();
  let isSending = false;
  let isUrgent = false;
  let onIdle: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pausedUntil = 0;

  /** Urgent or not, never at once: what one request counts comes together first. */
  function schedule(): void {
    if (isUrgent || onIdle) {
      clearTimeout(timer);
      timer = undefined;
      isSending = true;
      setImmediate(flush);
    } else {
      timer ??= setTimeout(flush, batchWindowMs).unref();
    }
  }

  async function flush(): Promise<void> {
    [isSending, isUrgent, timer] = [true, false, undefined];
    const batch = new Map([...waiting].slice(0, maxBatchSize));
    waiting = new Map([...waiting].slice(maxBatchSize));
    const totals = await send(batch);
    for (const [key, { listeners }] of batch) {
      const total = totals.get(key);
      // Hits that came in meanwhile belong to it, too.
      const known = total ? { ...total, hits: total.hits + (waiting.get(key)?.hits ?? 0) } : null;
      for (const listener of listeners) listener(known);
    }
    isSending = false;
    if (waiting.size > 0) schedule();
    else onIdle?.();
  }

  async function send(batch: ReadonlyMap<string, Waiting>): Promise<Map<string, HitTotal>> {
    const counted = [...batch].map(([key, { hits, seconds }]) => ({ key, hits, seconds }));
    try {
      const supabase = await clients.visitor();
      const { data, error } = await supabase.rpc("count_rate_limit_hits", { counted });
      if (!error) {
        const totals = totalsSchema.parse(data);
        return new Map(totals.map(({ key, hits, seconds_left }) => [key, { hits, secondsLeft: seconds_left }]));
      }
      log.error({ event: "limits.not-shared", code: error.code });
    } catch (error) {
      log.error({ event: "limits.not-shared", ...describeError(error) });
    }
    pausedUntil = performance.now() + backoffMs;
    return new Map();
  }

  return {
    exchange(update) {
      const isFull = waiting.size >= maxWaiting && !waiting.has(update.key);
      if (isFull || performance.now() < pausedUntil) return Promise.resolve(null);
      return new Promise((resolve) => {
        const entry = waiting.get(update.key) ?? { hits: 0, seconds: update.seconds, listeners: [] };
        entry.hits += update.hits;
        entry.listeners.push(resolve);
        waiting.set(update.key, entry);
        isUrgent ||= update.isUrgent;
        if (!isSending) schedule();
      });
    },
    async close() {
      if (!isSending && waiting.size === 0) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
        if (!isSending) schedule();
      });
    },
  };
}
