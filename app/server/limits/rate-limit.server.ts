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

/** What clients of one site may do, and how often. */
export interface RateLimits {
  /**
   * Counts one post of a client, or one other thing that writes to the database on its behalf.
   * @param address the client's, or null where it is unknown: one bucket for everybody would let a stranger shut the form
   * @param what the form's path, or another name: each counts apart, so that an office's choices about cookies do not close its forms
   */
  countPost(address: string | null, what: string): Promise<RateDecision>;
  /** Gives one counted post back, which the backend could not take: whoever tries until it can must not be refused then. */
  refundPost(address: string | null, what: string): Promise<void>;
  /**
   * Counts one visit that asks the database for what a secret opens, whatever the secret is.
   * @param what a page that a link in a mail opens, or the visitor's own record of consent, by the number in their cookie
   */
  countVisit(address: string | null, what: "link" | "consent-record"): Promise<RateDecision>;
  /** Counts one report of a browser ({@link reportLimit}). */
  countReport(address: string): Promise<RateDecision>;
  /** Makes a limit of a feature's own. */
  create(options: DistributedLimitOptions): DistributedLimit;
}

/** Limit of a client's policy reports: a browser sends them once a minute for each page. */
const reportLimit = { points: 20, seconds: 60 };

/** Makes the limits of a site. */
export function createRateLimits(
  { postRateLimit }: Pick<Settings, "postRateLimit">,
  dependencies: LimitDependencies,
): RateLimits {
  const limits = new Map<string, DistributedLimit>();

  function getLimit(name: string, points: number, seconds = clientLimits.windowMinutes * 60): DistributedLimit {
    const known = limits.get(name);
    if (known) return known;
    const limit = createDistributedLimit({ name, points, seconds, sync: "first-hit" }, dependencies);
    limits.set(name, limit);
    return limit;
  }

  async function count(address: string | null, what: string, points: number, seconds?: number): Promise<RateDecision> {
    // POST_RATE_LIMIT=0 is for measuring, which no other limit per client may disturb either.
    if (postRateLimit === 0 || address === null) return { allowed: true };
    const network = networkKey(address);
    const limitOfNetwork = getLimit(`${what}-network`, points * clientLimits.clientsPerNetwork, seconds);
    // A network has more clients than could be counted: once it is refused, none of them costs a call of the database.
    const ofNetwork = network === null ? null : await limitOfNetwork.check(network);
    if (ofNetwork?.allowed === false) return ofNetwork;
    const ofClient = await getLimit(what, points, seconds).consume(rateLimitKey(address));
    // A client that is refused does not use up what its network may.
    if (!ofClient.allowed || network === null) return ofClient;
    return limitOfNetwork.consume(network);
  }

  async function refund(address: string | null, what: string, points: number): Promise<void> {
    if (postRateLimit === 0 || address === null) return;
    await getLimit(what, points).refund(rateLimitKey(address));
    const network = networkKey(address);
    if (network !== null) await getLimit(`${what}-network`, points * clientLimits.clientsPerNetwork).refund(network);
  }

  return {
    countPost: (address, what) => count(address, `post ${what}`, postRateLimit),
    refundPost: (address, what) => refund(address, `post ${what}`, postRateLimit),
    countVisit: (address, what) => count(address, `visit ${what}`, clientLimits.linkVisits),
    countReport: (address) => count(address, "report", reportLimit.points, reportLimit.seconds),
    create: (options) => createDistributedLimit(options, dependencies),
  };
}
