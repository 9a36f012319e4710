import { listUnfilledFacts } from "~/content/firm/unfilled-facts.server";
import { isPublicSite } from "./public-site.server";
import type { Settings } from "./settings.server";

/** Counts the facts that the firm has yet to supply. Returns 0 for a site that only this machine can reach. */
export function countMissingFacts(settings: Pick<Settings, "siteUrl" | "siteUrlIsExplicit">): number {
  return isPublicSite(settings) ? listUnfilledFacts().length : 0;
}
