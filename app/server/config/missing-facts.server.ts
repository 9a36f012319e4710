import { listUnfilledFacts } from "~/content/firm/unfilled-facts.server";
import type { Settings } from "./settings.server";

/** How many of the firm's facts are still to be supplied, where strangers read the site: none where it is on its own machine. */
export function countMissingFacts({
  siteUrl,
  siteUrlIsExplicit,
}: Pick<Settings, "siteUrl" | "siteUrlIsExplicit">): number {
  if (!siteUrlIsExplicit || isLocal(new URL(siteUrl).hostname)) return 0;
  return listUnfilledFacts().length;
}

/** Names and addresses that no other machine can reach (RFC 6761, RFC 6890). */
function isLocal(host: string): boolean {
  return /(?:^|\.)localhost$|^127(?:\.\d{1,3}){3}$|^\[::1\]$/.test(host);
}
