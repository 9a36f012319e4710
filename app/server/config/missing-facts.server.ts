import { listUnfilledFacts } from "~/content/firm/unfilled-facts.server";
import { isPublicSite } from "./public-site.server";
import type { Settings } from "./settings.server";

/** How many of the firm's facts are still to be supplied, where strangers read the site: none where it is on its own machine. */
export function countMissingFacts(settings: Pick<Settings, "siteUrl" | "siteUrlIsExplicit">): number {
  return isPublicSite(settings) ? listUnfilledFacts().length : 0;
}
