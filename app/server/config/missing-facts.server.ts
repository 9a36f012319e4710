import { listUnfilledFacts } from "~/content/firm/unfilled-facts.server";
import type { Settings } from "./settings.server";

/** Lists the facts that the firm has yet to supply. Returns none for a site that only this machine can reach. */
export function listMissingFacts({ isPublic }: Pick<Settings, "isPublic">) {
  return isPublic ? listUnfilledFacts() : [];
}
