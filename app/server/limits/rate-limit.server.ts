import { clientLimits } from "~/content/facts";
import { networkKey, rateLimitKey } from "~/lib/client-address";
import { getSettings } from "../config/settings.server";
import { type RateDecision, SharedLimit } from "./distributed-limit.server";

export type { RateDecision };

/** What is counted, each apart from the others. */
type Counted = "post" | "signal" | "link";

const limits = new Map<string, SharedLimit>();

/**
 * Counts one post of a client, or one other thing that writes to the database on its behalf.
 * @param address the client's, or null where it is unknown: one bucket for everybody would let a stranger shut the form
 * @param what is counted apart from everything else
 */
export async function countPost(address: string | null, what: "post" | "signal" = "post"): Promise<RateDecision> {
  return count(address, what, getSettings().postRateLimit);
}

/** Counts one visit of a page that a secret link opens: each asks the database, whatever the token is. */
export async function countLinkVisit(address: string | null): Promise<RateDecision> {
  return count(address, "link", clientLimits.linkVisits);
}

async function count(address: string | null, what: Counted, points: number): Promise<RateDecision> {
  // Whoever turns the limit of posts off is measuring, and wants no other limit a client either.
  if (getSettings().postRateLimit === 0 || address === null) return { allowed: true };
  const ofClient = await findLimit(what, points).take(rateLimitKey(address));
  const network = networkKey(address);
  // A client that is refused does not use up what its network may.
  if (!ofClient.allowed || network === null) return ofClient;
  return findLimit(`${what}-network`, points * clientLimits.clientsPerNetwork).take(network);
}

function findLimit(name: string, points: number): SharedLimit {
  const known = limits.get(name);
  if (known) return known;
  const limit = new SharedLimit({ name, points, seconds: clientLimits.windowMinutes * 60, asks: "first" });
  limits.set(name, limit);
  return limit;
}
