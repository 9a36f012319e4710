import { createHmac, randomBytes } from "node:crypto";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { clientLimits } from "~/content/facts";
import { networkKey, rateLimitKey } from "~/lib/http/client-address";
import type { Secrets } from "../config/secrets.server";
import type { Settings } from "../config/settings.server";

/** Result of counting an event: allowed, or the time until the next one is. */
export type RateDecision = { allowed: true } | { allowed: false; retryAfterSeconds: number };

/** A post that the edge has counted before queueing it for rendering. */
export interface CountedPost {
  /** name of its counter, for a refund */
  bucket: string;
  rate: RateDecision;
}

/**
 * Limits on the clients of one site. Each process counts in its own memory: with several containers, each allows a
 * client the full limit (docs/decisions/0019-limits.md).
 */
export type RateLimits = ReturnType<typeof createRateLimits>;

/** Creates the limits of a site; all counts start at 0. */
export function createRateLimits({ postRateLimit }: Pick<Settings, "postRateLimit">) {
  const windowSeconds = clientLimits.windowMinutes * 60;
  const posts = createClientLimit(postRateLimit, windowSeconds);
  const visits = createClientLimit(clientLimits.linkVisits, windowSeconds);
  // POST_RATE_LIMIT=0 is for measurements, so it also turns off the other limits on clients.
  const isCounted = (address: string | null): address is string => postRateLimit > 0 && address !== null;
  const count = async (limit: ClientLimit, address: string | null, bucket: string): Promise<RateDecision> =>
    isCounted(address) ? limit.consume(address, bucket) : { allowed: true };

  return {
    /**
     * Counts one post of a client, or another event that writes to the database on its behalf.
     * @param address the client's; null when unknown, and then not counted: in a shared bucket, an attacker could shut
     *   the form
     * @param bucket the form's path, or another name. An office's cookie decisions must not use up the limit of its
     *   forms.
     */
    countPost: (address: string | null, bucket: string) => count(posts, address, bucket),
    /** Uncounts a post that the backend could not accept: retries during an outage must not lock a visitor out. */
    refundPost: async (address: string | null, bucket: string) =>
      isCounted(address) ? posts.refund(address, bucket) : undefined,
    /**
     * Counts one visit that makes the database look up a secret, valid or not.
     * @param bucket a page opened by a link in an email, or the visitor's consent record, found by the id in their cookie
     */
    countVisit: (address: string | null, bucket: "link" | "consent-record") => count(visits, address, bucket),
  };
}

/**
 * Finds the bucket in which a post to a page counts. Each form has its own: an office's cookie decisions, for example,
 * must not use up the limit of its contact form.
 * @param path route pattern of the page
 * @returns null for pages that check the session instead, because admins at work must not use up a form's limit, and for
 *   one-click stops, which mail providers post for all their users
 */
export function findPostBucket(path: string): string | null {
  const page = path.replace(/\.data$/, "");
  const isUncounted = /^\/admin(?:\/|$)/.test(page) || page === "/login/second-factor" || page === "/network/stop";
  return isUncounted ? null : page;
}

/** Takes one point. */
export async function takePoint(limiter: RateLimiterMemory, key: string): Promise<RateDecision> {
  try {
    await limiter.consume(key);
    return { allowed: true };
  } catch (refusal) {
    // The library rejects the promise when the limit is exceeded.
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    // It counts the refused as well, so that a later refund would allow nothing.
    await limiter.reward(key);
    return createRefusal(refusal.msBeforeNext / 1000);
  }
}

/** Returns one point, unless the limit's window has ended. */
export async function returnPoint(limiter: RateLimiterMemory, key: string): Promise<void> {
  if (await limiter.get(key)) await limiter.reward(key);
}

/** Creates a refusal that ends after this many seconds. */
export function createRefusal(seconds: number): RateDecision {
  return { allowed: false, retryAfterSeconds: Math.max(1, Math.ceil(seconds)) };
}

type ClientLimit = ReturnType<typeof createClientLimit>;

/** Limits clients, and the IPv6 networks that they connect from. */
function createClientLimit(points: number, duration: number) {
  const clientLimiter = new RateLimiterMemory({ points, duration });
  const networkLimiter = new RateLimiterMemory({ points: points * clientLimits.clientsPerNetwork, duration });

  return {
    async consume(address: string, bucket: string): Promise<RateDecision> {
      const { client, network } = keysOf(address, bucket);
      // Do not count clients of a network at its limit: it may have more clients than memory can hold.
      const networkState = network === null ? null : await networkLimiter.get(network);
      if (networkState?.remainingPoints === 0) return createRefusal(networkState.msBeforeNext / 1000);
      const decision = await takePoint(clientLimiter, client);
      // A refused client does not use up its network's limit.
      return decision.allowed && network !== null ? takePoint(networkLimiter, network) : decision;
    },
    async refund(address: string, bucket: string): Promise<void> {
      const { client, network } = keysOf(address, bucket);
      await returnPoint(clientLimiter, client);
      if (network !== null) await returnPoint(networkLimiter, network);
    },
  };
}

function keysOf(address: string, bucket: string): { client: string; network: string | null } {
  const network = networkKey(address);
  return { client: `${bucket} ${rateLimitKey(address)}`, network: network === null ? null : `${bucket} ${network}` };
}

/**
 * Identifies a client to the functions that send mail on its behalf, so that they can count it without knowing its
 * address. The header holds HMACs of the client's rate limit key and of its network. Without the secret they can be
 * neither forged nor reversed.
 * @param address the client's; null when it is unknown, and all unknown clients count as one
 * @returns headers for the function call
 */
export function clientCodeHeader(
  { settings, secrets }: { settings: Pick<Settings, "postRateLimit">; secrets: Secrets },
  address: string | null,
): Record<string, string> {
  // Without a limit per client, each post counts as a separate client, as for the post limit.
  if (settings.postRateLimit === 0) return { "x-client-code": randomBytes(32).toString("base64url") };
  if (address === null) return {};
  const network = networkKey(address);
  const subjects = [rateLimitKey(address), ...(network === null ? [] : [network])];
  const codes = subjects.map((subject) =>
    createHmac("sha256", secrets.derive("rate-limits")).update(`acknowledgements\0${subject}`).digest("base64url"),
  );
  return { "x-client-code": codes.join(" ") };
}
