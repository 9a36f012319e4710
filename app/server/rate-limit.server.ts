import { rateLimitKey } from "~/lib/client-address";
import { getSettings } from "./settings.server";
import { type RateDecision, SharedLimit } from "./shared-limit.server";

export type { RateDecision };

const windowSeconds = 10 * 60;
let limits: Record<"post" | "signal", SharedLimit> | undefined;

/**
 * Counts one post of a client, or one other thing that writes to the database on its behalf.
 * @param address the client's, or null where it is unknown: one bucket for everybody would let a stranger shut the form
 * @param what is counted apart from everything else
 */
export async function countPost(address: string | null, what: "post" | "signal" = "post"): Promise<RateDecision> {
  const points = getSettings().postRateLimit;
  if (points === 0 || address === null) return { allowed: true };
  const limit = (name: string) => new SharedLimit({ name, points, seconds: windowSeconds, asks: "first" });
  limits ??= { post: limit("post"), signal: limit("signal") };
  return limits[what].take(rateLimitKey(address));
}
