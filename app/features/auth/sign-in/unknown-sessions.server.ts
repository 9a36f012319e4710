import { RateLimiterMemory } from "rate-limiter-flexible";
import type { SiteContext } from "~/server/site-context.server";
import { isKnownDevice } from "./known-device.server";

/**
 * How many invalid sessions a minute the authentication service is asked about. Anybody can forge one that looks right,
 * and from many addresses, so they are counted together; log-outs apart, so that they use up nobody's visits.
 *
 * This never locks out an admin: a device that has signed in before carries a signed cookie that
 * says so, and is not counted. A browser that has lost that cookie alone waits a minute, and keeps its session.
 */
const createUnknownSessionLimit = () => new RateLimiterMemory({ points: 60, duration: 60 });

/** What a session is presented for. */
type Purpose = "visit" | "log-out";

/** Whether the authentication service may be asked about the session that this request carries. */
export async function canCheckSession(site: SiteContext, request: Request, purpose: Purpose): Promise<boolean> {
  const count = await site.feature(createUnknownSessionLimit).get(purpose);
  return count === null || count.remainingPoints > 0 || isKnownDevice(site, request);
}

/** Counts a session that the authentication service did not know. */
export async function countUnknownSession(site: SiteContext, request: Request, purpose: Purpose): Promise<void> {
  if (await isKnownDevice(site, request)) return;
  // Past the limit the library rejects, and there is nothing more to count.
  await site
    .feature(createUnknownSessionLimit)
    .consume(purpose)
    .catch(() => {});
}
