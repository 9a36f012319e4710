import { isIP } from "node:net";
import { clearedCookies } from "~/content/cookie-registry";
import type { Choice } from "~/lib/consent";
import type { HasHeaders } from "~/lib/http/header-reader";
import type { SiteContext } from "~/server/site-context.server";

/** Every name takes a header for each domain and path; a browser with more names loses the others with its next pages. */
const maxNames = 8;
const maxParentDomains = 3;

const listed: ReadonlySet<string> = new Set([...clearedCookies.analytics, ...clearedCookies.marketing]);
const marketing: ReadonlySet<string> = new Set(clearedCookies.marketing);
const prefixes = clearedCookies.analyticsPrefixes.join("|");

/**
 * The name of each cookie that may have to go, with only what can stand in a header. Asked before many a page from memory:
 * the other cookies of a request, which may be a hundred, are not taken apart.
 */
const clearable = new RegExp(`(?:^|;)[ \\t]*(${[...listed].join("|")}|(?:${prefixes})[\\w.-]{0,90})[ \\t]*=`, "g");

/**
 * The `Set-Cookie` values that remove the analytics and advertising cookies which the request carries and the visitor
 * does not allow (REQUIREMENTS 4.6). A cookie goes only when domain and path are named as they were set, and a request
 * does not tell them, so each is removed for this host and its parent domains, for the whole site and for the page's
 * own folder.
 * @param request with an absolute URL
 */
export function clearForbiddenCookies(
  site: Pick<SiteContext, "settings" | "feature">,
  request: HasHeaders & { url: string },
  allowed: Choice,
): string[] {
  const forbidden = listForbidden(request.headers.get("cookie") ?? "", allowed);
  if (forbidden.length === 0) return [];
  const { siteUrl, siteUrlIsExplicit } = site.settings;
  const host = hostOf(siteUrlIsExplicit ? siteUrl : request.url);
  const lines = site.feature(createRemovals)(host, folderOf(request.url));
  const all: string[] = [];
  for (const name of forbidden) all.push(...lines(name));
  return all;
}

/** The lines that remove a cookie of this name. */
type Removal = (name: string) => string[];

/** Browsers come with the same few names to the same few pages; a forger's go no further than this. */
const maxKept = { places: 100, names: 20 };

/** Makes lines once for every name and page: half of the browsers with cookies of others need them at each of their visits. */
function createRemovals(): (host: string, folder: string) => Removal {
  const places = new Map<string, Removal>();
  return (host, folder) => {
    const place = `${host}/${folder}`;
    let removal = places.get(place);
    if (removal === undefined) {
      removal = createRemoval(listDomains(host), folder === "" ? ["/"] : ["/", `/${folder}`]);
      if (places.size < maxKept.places) places.set(place, removal);
    }
    return removal;
  };
}

function createRemoval(domains: readonly string[], paths: readonly string[]): Removal {
  const kept = new Map<string, string[]>();
  return (name) => {
    let lines = kept.get(name);
    if (lines === undefined) {
      lines = domains.flatMap((domain) => paths.map((path) => `${name}=; Max-Age=0; Path=${path}${domain}`));
      if (kept.size < maxKept.names) kept.set(name, lines);
    }
    return lines;
  };
}

/** Those with a name of their own first, since there may be any number of the others. */
function listForbidden(cookies: string, allowed: Choice): string[] {
  const forbidden: string[] = [];
  const others: string[] = [];
  // Not `matchAll`, which compiles the expression again for every request. The last `exec`, which finds nothing, rewinds it.
  for (let found = clearable.exec(cookies); found !== null; found = clearable.exec(cookies)) {
    const name = found[1] as string;
    const isAllowed = marketing.has(name) ? allowed.marketing : allowed.analytics;
    if (isAllowed) continue;
    const names = listed.has(name) ? forbidden : others;
    if (names.length < maxNames && !names.includes(name)) names.push(name);
  }
  return others.length === 0 ? forbidden : [...forbidden, ...others].slice(0, maxNames);
}

/** This very host first, then `Domain` attributes for it and its parents; a browser ignores those it must not obey. */
function listDomains(hostname: string): string[] {
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || !hostname.includes(".")) return [""];
  const labels = hostname.split(".");
  const parents = labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  return ["", ...parents.slice(-maxParentDomains).map((domain) => `; Domain=${domain}`)];
}

/** Without the port. An address that was asked for has been checked, and need not be parsed whole. */
function hostOf(url: string): string {
  return authority.exec(url)?.[1] ?? "";
}

const authority = /^https?:\/\/(\[[^\]/]*\]|[^/:?#]*)/;

/** "https://firm.example/a/b" gives "a"; nothing where there is none, or none that can stand in a header. */
function folderOf(url: string): string {
  return /^https?:\/\/[^/?#]*\/([\w.~-]{1,100})(?:[/?#]|$)/.exec(url)?.[1] ?? "";
}
