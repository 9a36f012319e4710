import { RateLimiterMemory } from "rate-limiter-flexible";
import type { SiteContext } from "~/server/site-context.server";
import { isKnownDevice } from "./known-device.server";

/**
 * Limits how many invalid sessions a minute the authentication service has to check. Anyone can forge one, from many
 * addresses, so one counter covers them all. Log-outs have a counter of their own, so that they cannot block visits.
 *
 * This never locks out an admin: a device that has signed in before carries a signed cookie and is exempt. A browser
 * that lost only that cookie waits a minute and keeps its session.
 */
const createUnknownSessionLimit = () => new RateLimiterMemory({ points: 60, duration: 60 });

/** Purpose of checking a session. */
type Purpose = "visit" | "log-out";

/** Checks the limit on sending this request's session to the authentication service. */
export async function canCheckSession(site: SiteContext, request: Request, purpose: Purpose): Promise<boolean> {
  const count = await site.feature(createUnknownSessionLimit).get(purpose);
  return count === null || count.remainingPoints > 0 || isKnownDevice(site, request);
}

/** Counts a session that the authentication service did not recognize. */
export async function countUnknownSession(site: SiteContext, request: Request, purpose: Purpose): Promise<void> {
  if (await isKnownDevice(site, request)) return;
  // Past the limit the library rejects. There is nothing more to count.
  await site
    .feature(createUnknownSessionLimit)
    .consume(purpose)
    .catch(() => {});
}
