import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { clientLimits } from "~/content/facts";
import { networkKey, rateLimitKey } from "~/lib/http/client-address";
import type { Settings } from "../config/settings.server";

/** Result of counting one more: allowed, or the time until it will be. */
export type RateDecision = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/** A post that the edge has counted, before it was given a place in the render queue. */
export interface CountedPost {
  /** names what was counted, for giving it back */
  what: string;
  rate: RateDecision;
}

/**
 * Limits of what clients of one site may do. Each process counts by itself, in memory: several containers let a client do as much in
 * each of them (docs/decisions/backend/0019-limits.md).
 */
export interface RateLimits {
  /**
   * Counts one post of a client, or one other thing that writes to the database on its behalf.
   * @param address the client's, or null where it is unknown: one bucket for everybody would let a stranger shut the form
   * @param what the form's path, or another name: each counts apart, so that an office's choices about cookies do not close its forms
   */
  countPost(address: string | null, what: string): Promise<RateDecision>;
  /** Gives back one counted post that the backend could not take: retries during an outage must not shut a visitor out. */
  refundPost(address: string | null, what: string): Promise<void>;
  /**
   * Counts one visit that asks the database for what a secret opens, whatever the secret is.
   * @param what a page that a link in a mail opens, or the visitor's own record of consent, by the number in their cookie
   */
  countVisit(address: string | null, what: "link" | "consent-record"): Promise<RateDecision>;
  /** Counts one report of a browser ({@link reportLimit}). */
  countReport(address: string): Promise<RateDecision>;
}

/** Limit of a client's policy reports: a browser sends them once a minute for each page. */
const reportLimit = { points: 20, seconds: 60 };

/** Makes the limits of a site; all counts begin at 0. */
export function createRateLimits({ postRateLimit }: Pick<Settings, "postRateLimit">): RateLimits {
  const windowSeconds = clientLimits.windowMinutes * 60;
  const posts = createClientLimit(postRateLimit, windowSeconds);
  const visits = createClientLimit(clientLimits.linkVisits, windowSeconds);
  const reports = createClientLimit(reportLimit.points, reportLimit.seconds);
  // POST_RATE_LIMIT=0 is for measuring, which no other limit of a client may disturb either.
  const isCounted = (address: string | null): address is string => postRateLimit > 0 && address !== null;
  const count = async (limit: ClientLimit, address: string | null, what: string): Promise<RateDecision> =>
    isCounted(address) ? limit.consume(address, what) : { allowed: true };

  return {
    countPost: (address, what) => count(posts, address, what),
    refundPost: async (address, what) => (isCounted(address) ? posts.refund(address, what) : undefined),
    countVisit: (address, what) => count(visits, address, what),
    countReport: (address) => count(reports, address, "report"),
  };
}

/**
 * Names what a post to a page counts as. Each form counts by itself: an office's choices about cookies, say, must not close
 * its contact form.
 * @param path pattern of the page
 * @returns null for pages that judge the session instead: admins at work close no form
 */
export function nameOfPost(path: string): string | null {
  const page = path.replace(/\.data$/, "");
  return /^\/admin(?:\/|$)/.test(page) || page === "/login/second-factor" ? null : page;
}

/** Takes one point. */
export async function takePoint(limiter: RateLimiterMemory, key: string): Promise<RateDecision> {
  try {
    await limiter.consume(key);
    return { allowed: true };
  } catch (refusal) {
    // The library's way of saying "no" is a rejected promise.
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return refuseFor(refusal.msBeforeNext / 1000);
  }
}

/** Gives one point back. Past its time there is nothing to give back to. */
export async function returnPoint(limiter: RateLimiterMemory, key: string): Promise<void> {
  if (await limiter.get(key)) await limiter.reward(key);
}

/** Makes a refusal that ends in so many seconds. */
export function refuseFor(seconds: number): RateDecision {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
}

type ClientLimit = ReturnType<typeof createClientLimit>;

/** Limits clients, and the IPv6 networks that they come from. */
function createClientLimit(points: number, duration: number) {
  const ofClients = new RateLimiterMemory({ points, duration });
  const ofNetworks = new RateLimiterMemory({ points: points * clientLimits.clientsPerNetwork, duration });

  return {
    async consume(address: string, what: string): Promise<RateDecision> {
      const { client, network } = keysOf(address, what);
      // A network has more clients than memory has room for: the clients of one that is used up are not counted.
      const ofNetwork = network === null ? null : await ofNetworks.get(network);
      if (ofNetwork?.remainingPoints === 0) return refuseFor(ofNetwork.msBeforeNext / 1000);
      const decision = await takePoint(ofClients, client);
      // A refused client does not use up what its network may do.
      return decision.allowed && network !== null ? takePoint(ofNetworks, network) : decision;
    },
    async refund(address: string, what: string): Promise<void> {
      const { client, network } = keysOf(address, what);
      await returnPoint(ofClients, client);
      if (network !== null) await returnPoint(ofNetworks, network);
    },
  };
}

function keysOf(address: string, what: string): { client: string; network: string | null } {
  const network = networkKey(address);
  return { client: `${what} ${rateLimitKey(address)}`, network: network === null ? null : `${what} ${network}` };
}
