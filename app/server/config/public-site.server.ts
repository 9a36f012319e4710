import type { Settings } from "./settings.server";

/** Whether strangers reach the site at its address. */
export function isPublicSite({ siteUrl, siteUrlIsExplicit }: Pick<Settings, "siteUrl" | "siteUrlIsExplicit">): boolean {
  return siteUrlIsExplicit && !isLocal(new URL(siteUrl).hostname);
}

/** Names and addresses that no other machine can reach (RFC 6761, RFC 6890). */
function isLocal(host: string): boolean {
  return /(?:^|\.)localhost$|^127(?:\.\d{1,3}){3}$|^\[::1\]$/.test(host);
}
