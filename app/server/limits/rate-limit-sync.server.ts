import { z } from "zod";
import { describeError, logProblem } from "../observability/log.server";
import { createVisitorClient } from "../backend/supabase-clients.server";

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

/** What nobody waits for comes together for so long: a flood of posts costs five calls a second, from each process. */
const collectMs = 200;

let waiting = new Map<string, Waiting>();
let isTelling = false;
let isUrgent = false;
let timer: NodeJS.Timeout | undefined;
let restUntil = 0;

/** Hits of one key that everybody should know of. */
export interface Hits {
  /** made by an HMAC, never anything readable */
  key: string;
  /** negative ones are taken back */
  hits: number;
  /** how long a count lasts from its first hit */
  seconds: number;
  /** whether somebody waits for the total */
  isUrgent: boolean;
}

/**
 * Tells the database of hits and asks for the total. One call is under way at a time and carries whatever has come
 * together meanwhile, so that many posts cost few calls.
 * @returns null when the database is away, refuses, or has no room: then nothing is known. Never rejects.
 */
export function exchangeHits(told: Hits): Promise<HitTotal | null> {
  const isFull = waiting.size >= mostWaiting && !waiting.has(told.key);
  if (isFull || performance.now() < restUntil) return Promise.resolve(null);
  return new Promise((resolve) => {
    const entry = waiting.get(told.key) ?? { hits: 0, seconds: told.seconds, tell: [] };
    entry.hits += told.hits;
    entry.tell.push(resolve);
    waiting.set(told.key, entry);
    isUrgent ||= told.isUrgent;
    if (!isTelling) plan();
  });
}

/** Urgent or not, never at once: what one request counts comes together first. */
function plan(): void {
  if (isUrgent) {
    clearTimeout(timer);
    timer = undefined;
    isTelling = true;
    setImmediate(tellAll);
  } else {
    timer ??= setTimeout(tellAll, collectMs).unref();
  }
}

async function tellAll(): Promise<void> {
  [isTelling, isUrgent, timer] = [true, false, undefined];
  const batch = new Map([...waiting].slice(0, mostInOneCall));
  waiting = new Map([...waiting].slice(mostInOneCall));
  const totals = await tell(batch);
  for (const [key, { tell: listeners }] of batch) {
    const total = totals.get(key);
    // Hits that came in meanwhile belong to it, too.
    const known = total ? { ...total, hits: total.hits + (waiting.get(key)?.hits ?? 0) } : null;
    for (const listener of listeners) listener(known);
  }
  isTelling = false;
  if (waiting.size > 0) plan();
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
