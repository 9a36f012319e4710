import { isIP } from "node:net";
import { clearedCookies } from "~/content/cookie-registry";
import type { Choice } from "~/lib/consent";
import type { HasHeaders } from "~/lib/http/header-reader";
import type { SiteContext } from "~/server/site-context.server";

/** Every name takes a header for each domain and path; a browser with more names loses the others with its next pages. */
const maxNames = 8;
const maxParentDomains = 3;

/**
 * The name of each cookie that may have to go, with only what can stand in a header: one for advertising, one for analytics, or
 * one that a program has made up for its analytics, of which there may be any number. Asked before many a page from memory:
 * the other cookies of a request, which may be a hundred, are not taken apart.
 */
const clearable = new RegExp(
  `(?:^|;)[ \\t]*(?:(${clearedCookies.marketing.join("|")})|(${clearedCookies.analytics.join("|")})|` +
    `((?:${clearedCookies.analyticsPrefixes.join("|")})[\\w.-]{0,90}))[ \\t]*=`,
  "g",
);

/**
 * The `Set-Cookie` values that remove the analytics and advertising cookies which the request carries and the visitor
 * does not allow (REQUIREMENTS 4.6). A cookie goes only when domain and path are named as they were set, and a request
 * does not tell them, so each is removed for this host and its parent domains, for the whole site and for the page's
 * own folder.
 */
export function clearForbiddenCookies(
  site: Pick<SiteContext, "settings" | "feature">,
  { headers, host, address }: AskedPage,
  allowed: Choice,
): readonly string[] {
  const forbidden = listForbidden(headers.get("cookie") ?? "", allowed);
  if (forbidden.length === 0) return forbidden;
  const linesFor = site.feature(createRemovals)(host, address);
  const [first = ""] = forbidden;
  return forbidden.length === 1 ? linesFor(first) : forbidden.flatMap(linesFor);
}

/** A request, with the place that its browser asked for: cookies belong to hosts and folders. */
export interface AskedPage extends HasHeaders {
  /** with its port, if it has one */
  readonly host: string;
  /** path and query */
  readonly address: string;
}

/** The same of a request of the framework's. */
export function toAskedPage({ headers, url }: Request): AskedPage {
  const { host, pathname } = new URL(url);
  return { headers, host, address: pathname };
}

/** The lines that remove a cookie of this name. */
type Removal = (name: string) => readonly string[];

/** Browsers come with the same few names to the same few pages of one host; a forger's go no further than this. */
const maxKept = { hosts: 3, folders: 40, names: 16 };

/** Makes lines once for every name and page: half of the browsers with cookies of others need them at each of their visits. */
function createRemovals({ settings }: Pick<SiteContext, "settings">): (host: string, address: string) => Removal {
  const ownHost = settings.siteUrlIsExplicit ? new URL(settings.siteUrl).host : null;
  const findHost = keepSome(maxKept.hosts, (host) => {
    const domains = listDomains(host.replace(/:\d+$/, ""));
    return keepSome(maxKept.folders, (folder) => {
      const paths = folder === "" ? ["/"] : ["/", `/${folder}`];
      return keepSome(maxKept.names, (name) =>
        domains.flatMap((domain) => paths.map((path) => `${name}=; Max-Age=0; Path=${path}${domain}`)),
      );
    });
  });
  return (host, address) => findHost(ownHost ?? host)(folderOf(address));
}

/** Keeps what is made of the first so many keys; of others it is made anew each time. */
function keepSome<Made>(most: number, make: (key: string) => Made): (key: string) => Made {
  const kept = new Map<string, Made>();
  return (key) => {
    let made = kept.get(key);
    if (made === undefined) {
      made = make(key);
      if (kept.size < most) kept.set(key, made);
    }
    return made;
  };
}

/** Those with a name of their own first, since there may be any number of the others. */
function listForbidden(cookies: string, allowed: Choice): string[] {
  const forbidden: string[] = [];
  const others: string[] = [];
  // Not `matchAll`, which compiles the expression again for every request. The last `exec`, which finds nothing, rewinds it.
  for (let found = clearable.exec(cookies); found !== null; found = clearable.exec(cookies)) {
    const { 1: advertising, 2: analytics, 3: other } = found;
    if (advertising === undefined ? allowed.analytics : allowed.marketing) continue;
    const name = advertising ?? analytics ?? other ?? "";
    const names = other === undefined ? forbidden : others;
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

/** "/a/b" gives "a"; nothing where there is none, or none that can stand in a header. */
function folderOf(address: string): string {
  return /^\/([\w.~-]{1,100})(?:[/?#]|$)/.exec(address)?.[1] ?? "";
}
