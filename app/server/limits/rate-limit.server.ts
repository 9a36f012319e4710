import { clientLimits } from "~/content/facts";
import { networkKey, rateLimitKey } from "~/lib/http/client-address";
import type { Settings } from "../config/settings.server";
import {
  type DistributedLimit,
  type DistributedLimitOptions,
  type LimitDependencies,
  type RateDecision,
  createDistributedLimit,
} from "./distributed-limit.server";

export type { RateDecision };

/** What is counted, each apart from the others. */
type Counted = "post" | "signal" | "link";

/** What clients of one site may do, and how often. */
export interface RateLimits {
  /**
   * Counts one post of a client, or one other thing that writes to the database on its behalf.
   * @param address the client's, or null where it is unknown: one bucket for everybody would let a stranger shut the form
   * @param what is counted apart from everything else
   */
  countPost(address: string | null, what?: "post" | "signal"): Promise<RateDecision>;
  /** Counts one visit of a page that a secret link opens: each asks the database, whatever the token is. */
  countLinkVisit(address: string | null): Promise<RateDecision>;
  /** Makes a limit of a feature's own. */
  create(options: DistributedLimitOptions): DistributedLimit;
}

/** Makes the limits of a site. */
export function createRateLimits(
  { postRateLimit }: Pick<Settings, "postRateLimit">,
  dependencies: LimitDependencies,
): RateLimits {
  const limits = new Map<string, DistributedLimit>();

  function getLimit(name: string, points: number): DistributedLimit {
    const known = limits.get(name);
    if (known) return known;
    const seconds = clientLimits.windowMinutes * 60;
    const limit = createDistributedLimit({ name, points, seconds, sync: "first-hit" }, dependencies);
    limits.set(name, limit);
    return limit;
  }

  async function count(address: string | null, what: Counted, points: number): Promise<RateDecision> {
    // POST_RATE_LIMIT=0 is for measuring, which no other limit per client may disturb either.
    if (postRateLimit === 0 || address === null) return { allowed: true };
    const ofClient = await getLimit(what, points).consume(rateLimitKey(address));
    const network = networkKey(address);
    // A client that is refused does not use up what its network may.
    if (!ofClient.allowed || network === null) return ofClient;
    return getLimit(`${what}-network`, points * clientLimits.clientsPerNetwork).consume(network);
  }

  return {
    countPost: (address, what = "post") => count(address, what, postRateLimit),
    countLinkVisit: (address) => count(address, "link", clientLimits.linkVisits),
    create: (options) => createDistributedLimit(options, dependencies),
  };
}
