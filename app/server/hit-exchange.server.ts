import { z } from "zod";
import { describeError, logProblem } from "./log.server";
import { createVisitorClient } from "./supabase.server";

/** How often something was counted by all processes together, and when that begins anew. */
export interface HitTotal {
  hits: number;
  secondsLeft: number;
}

interface Waiting {
  hits: number;
  seconds: number;
  tell: ((total: HitTotal | null) => void)[];
}

const totalsSchema = z.array(z.object({ key: z.string(), hits: z.int(), seconds_left: z.int().positive() }));

/** The database takes no more in one call (migration "rate_limits"). */
const mostInOneCall = 200;
const mostWaiting = 2_000;
/** After a failure nothing is told for a while: nobody waits for a counter that is away. */
const restMs = 5_000;

let waiting = new Map<string, Waiting>();
let isTelling = false;
let restUntil = 0;

/**
 * Tells the database of hits, negative ones take some back, and asks for the total. One call is under way at a time and
 * carries whatever has come together meanwhile, so that many posts cost few calls.
 * @param key made by `hitKey`, never anything readable
 * @param seconds how long a count lasts from its first hit
 * @returns null when the database is away, refuses, or has no room: then nothing is known. Never rejects.
 */
export function exchangeHits(key: string, hits: number, seconds: number): Promise<HitTotal | null> {
  const isFull = waiting.size >= mostWaiting && !waiting.has(key);
  if (isFull || performance.now() < restUntil) return Promise.resolve(null);
  return new Promise((resolve) => {
    const entry = waiting.get(key) ?? { hits: 0, seconds, tell: [] };
    entry.hits += hits;
    entry.tell.push(resolve);
    waiting.set(key, entry);
    if (isTelling) return;
    isTelling = true;
    // Not at once: what one request counts comes together first.
    setImmediate(tellAll);
  });
}

async function tellAll(): Promise<void> {
  while (waiting.size > 0) {
    const batch = new Map([...waiting].slice(0, mostInOneCall));
    waiting = new Map([...waiting].slice(mostInOneCall));
    const totals = await tell(batch);
    for (const [key, { tell: listeners }] of batch) {
      const total = totals.get(key);
      // Hits that came in meanwhile belong to it, too.
      const known = total ? { ...total, hits: total.hits + (waiting.get(key)?.hits ?? 0) } : null;
      for (const listener of listeners) listener(known);
    }
  }
  isTelling = false;
}

async function tell(batch: ReadonlyMap<string, Waiting>): Promise<Map<string, HitTotal>> {
  const counted = [...batch].map(([key, { hits, seconds }]) => ({ key, hits, seconds }));
  try {
    const supabase = await createVisitorClient();
    const { data, error } = await supabase.rpc("count_rate_limit_hits", { counted });
    if (!error) {
      const totals = totalsSchema.parse(data);
      return new Map(totals.map(({ key, hits, seconds_left }) => [key, { hits, secondsLeft: seconds_left }]));
    }
    logProblem({ event: "limits.not-shared", code: error.code });
  } catch (error) {
    logProblem({ event: "limits.not-shared", ...describeError(error) });
  }
  restUntil = performance.now() + restMs;
  return new Map();
}
