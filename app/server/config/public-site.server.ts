import { isLoopback } from "~/lib/http/loopback";
import type { Settings } from "./settings.server";

/** Tells whether other machines can reach the site at its address. */
export function isPublicSite({ siteUrl, siteUrlIsExplicit }: Pick<Settings, "siteUrl" | "siteUrlIsExplicit">): boolean {
  return siteUrlIsExplicit && !isLoopback(new URL(siteUrl).hostname);
}
