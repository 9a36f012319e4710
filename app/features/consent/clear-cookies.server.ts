import { isIP } from "node:net";
import { clearedCookies } from "~/content/facts";
import type { Choice } from "~/lib/consent";
import { readCookies } from "~/server/request-cookies.server";
import { getSettings } from "~/server/settings.server";

/**
 * The `Set-Cookie` values that remove every analytics and advertising cookie which the request carries and the visitor
 * does not allow (spec section 4). A cookie goes only when domain and path are named as they were set, and a request
 * does not tell them, so each is removed for this host, for its parent domains and for each folder of the path.
 */
export function clearForbiddenCookies(request: Request, allowed: Choice): string[] {
  const names = new Set(readCookies(request).map(({ name }) => name));
  const forbidden = [...names].filter((name) => isForbidden(name, allowed));
  if (forbidden.length === 0) return [];
  const { hostname, pathname } = new URL(request.url);
  const domains = findDomains(getSettings().siteUrlIsExplicit ? new URL(getSettings().siteUrl).hostname : hostname);
  const paths = findPaths(pathname);
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
function findDomains(hostname: string): string[] {
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || !hostname.includes(".")) return [""];
  const labels = hostname.split(".");
  return ["", ...labels.slice(0, -1).map((_, index) => `; Domain=${labels.slice(index).join(".")}`)];
}

/** "/a/b" gives "/", "/a" and "/a/b". */
function findPaths(pathname: string): string[] {
  const parts = pathname.split("/").filter((part) => /^[\w.~-]{1,100}$/.test(part));
  return ["/", ...parts.slice(0, 4).map((_, index) => `/${parts.slice(0, index + 1).join("/")}`)];
}
