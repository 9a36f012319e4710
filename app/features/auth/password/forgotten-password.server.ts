import { type LinkRequestOutcome, createAttemptLimit, requestLink } from "~/server/limits/attempt-limit.server";
import type { SiteContext } from "~/server/site-context.server";

/** Limits requests per client. The database also limits them per mailbox. */
const createLimit = (site: SiteContext) =>
  createAttemptLimit(site, { name: "forgotten-password", points: 5, seconds: 60 * 60 });

/**
 * Requests an email with a link to set a new password, sent only if the email address has an account.
 * @param address of the client, or null if unknown
 */
export function requestNewPassword(
  site: SiteContext,
  email: string,
  address: string | null,
): Promise<LinkRequestOutcome> {
  return requestLink(site, site.feature(createLimit), address, {
    name: "account-links",
    failure: "account.link-not-requested",
    body: { action: "forgotten", email },
  });
}
