import { listUnfilledFacts } from "~/content/firm/unfilled-facts.server";
import type { Settings } from "./settings.server";

/** Counts the facts that the firm has yet to supply. Returns 0 for a site that only this machine can reach. */
export function countMissingFacts({ isPublic }: Pick<Settings, "isPublic">): number {
  return isPublic ? listUnfilledFacts().length : 0;
}
