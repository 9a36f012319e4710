import { isIP } from "node:net";
import { clearedCookies } from "~/content/facts";
import type { Choice } from "~/lib/consent";
import type { HasHeaders } from "~/lib/http/header-reader";
import { readCookies } from "~/server/cookies/cookies.server";
import type { Settings } from "~/server/config/settings.server";

/** Every name takes a header for each domain and path; a browser with more names loses the others with its next pages. */
const maxNames = 8;
const maxParentDomains = 3;

/**
 * The `Set-Cookie` values that remove the analytics and advertising cookies which the request carries and the visitor
 * does not allow (REQUIREMENTS 4.6). A cookie goes only when domain and path are named as they were set, and a request
 * does not tell them, so each is removed for this host and its parent domains, for the whole site and for the page's
 * own folder.
 */
export function clearForbiddenCookies(
  { siteUrl, siteUrlIsExplicit }: Pick<Settings, "siteUrl" | "siteUrlIsExplicit">,
  request: HasHeaders & { url: string },
  allowed: Choice,
): string[] {
  const sent = new Set(readCookies(request).keys());
  const known = [...clearedCookies.analytics, ...clearedCookies.marketing].filter((name) => sent.has(name));
  const forbidden = [...new Set([...known, ...sent])].filter((name) => isForbidden(name, allowed)).slice(0, maxNames);
  if (forbidden.length === 0) return [];
  const { hostname, pathname } = new URL(request.url);
  const domains = listDomains(siteUrlIsExplicit ? new URL(siteUrl).hostname : hostname);
  const paths = listPaths(pathname);
  return forbidden.flatMap((name) =>
    domains.flatMap((domain) => paths.map((path) => `${name}=; Max-Age=0; Path=${path}${domain}`)),
  );
}

function isForbidden(name: string, allowed: Choice): boolean {
  // Only what can stand in a header: the name comes from the request.
  if (!/^[\w.-]{1,100}$/.test(name)) return false;
  const { analytics, analyticsPrefixes, marketing } = clearedCookies;
  const isAnalytics =
    (analytics as readonly string[]).includes(name) || analyticsPrefixes.some((prefix) => name.startsWith(prefix));
  if (isAnalytics) return !allowed.analytics;
  return (marketing as readonly string[]).includes(name) && !allowed.marketing;
}

/** This very host first, then `Domain` attributes for it and its parents; a browser ignores those it must not obey. */
function listDomains(hostname: string): string[] {
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || !hostname.includes(".")) return [""];
  const labels = hostname.split(".");
  const parents = labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  return ["", ...parents.slice(-maxParentDomains).map((domain) => `; Domain=${domain}`)];
}

/** "/a/b" gives "/" and "/a". */
function listPaths(pathname: string): string[] {
  const [, folder = ""] = pathname.split("/", 2);
  return /^[\w.~-]{1,100}$/.test(folder) ? ["/", `/${folder}`] : ["/"];
}
