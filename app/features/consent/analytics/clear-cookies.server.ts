import { isIP } from "node:net";
import { clearedCookies } from "~/content/cookie-registry";
import type { Choice } from "~/lib/consent";
import type { HasHeaders } from "~/lib/http/header-reader";
import { createMemo } from "~/lib/memo";
import type { SiteContext } from "~/server/site-context.server";

/**
 * Each name needs one header per domain and path. If a browser has more names than this, its next requests clear the
 * rest.
 */
const maxNames = 8;
const maxParentDomains = 3;

/**
 * Matches the names of cookies that may have to be removed: one for advertising, one for analytics, or one with an
 * analytics prefix, which scripts make up in any number. Only characters that are safe in a header match. A request's
 * other cookies, which may be a hundred, are not parsed.
 */
const clearable = new RegExp(
  `(?:^|;)[ \\t]*(?:(${clearedCookies.marketing.join("|")})|(${clearedCookies.analytics.join("|")})|` +
    `((?:${clearedCookies.analyticsPrefixes.join("|")})[\\w.-]{0,90}))[ \\t]*=`,
  "g",
);

/**
 * Returns the `Set-Cookie` values that remove the analytics and advertising cookies of the request that the visitor
 * does not allow (REQUIREMENTS 4.6). A browser removes a cookie only if domain and path match those it was set with,
 * and a request does not reveal them. So each cookie is removed for this host and its parent domains, for the whole
 * site and for the page's own folder.
 */
export function clearForbiddenCookies(
  site: Pick<SiteContext, "settings" | "feature">,
  request: RequestedPage,
  allowed: Choice,
): readonly string[] {
  return removeCookies(site, request, listForbidden(request, allowed));
}

/** A request with its host and address, because cookies belong to hosts and folders. */
export interface RequestedPage extends HasHeaders {
  /** including the port, if any */
  readonly host: string;
  /** path and query */
  readonly address: string;
}

/** Converts a Fetch API request. */
export function toRequestedPage({ headers, url }: Request): RequestedPage {
  const { host, pathname } = new URL(url);
  return { headers, host, address: pathname };
}

/** Returns the `Set-Cookie` values that remove these cookies. */
export function removeCookies(
  site: Pick<SiteContext, "settings" | "feature">,
  { host, address }: RequestedPage,
  names: readonly string[],
): readonly string[] {
  return names.length === 0 ? names : site.feature(createRemoval)(host, folderOf(address), names);
}

/** Browsers send the same few names to the same few pages of one host. */
const maxRemembered = 500;

/** Creates the function that builds the header values: half of the browsers need the same ones on every visit. */
function createRemoval({ settings }: Pick<SiteContext, "settings">) {
  const ownHost = settings.siteUrlIsExplicit ? new URL(settings.siteUrl).host : null;
  const remember = createMemo<readonly string[]>(maxRemembered);
  return (requestedHost: string, folder: string, names: readonly string[]): readonly string[] => {
    const host = ownHost ?? requestedHost;
    return remember(`${host} ${folder} ${names.join(" ")}`, () => {
      const domains = listDomains(host.replace(/:\d+$/, ""));
      const paths = folder === "" ? ["/"] : ["/", `/${folder}`];
      return names.flatMap((name) =>
        domains.flatMap((domain) => paths.map((path) => `${name}=; Max-Age=0; Path=${path}${domain}`)),
      );
    });
  };
}

/**
 * Lists the names of cookies that the visitor does not allow, those with a fixed name first, because there may be any
 * number of prefixed ones.
 */
export function listForbidden({ headers }: HasHeaders, allowed: Choice): string[] {
  const cookies = headers.get("cookie") ?? "";
  const forbidden: string[] = [];
  const others: string[] = [];
  // Not `matchAll`, which compiles the expression again for every request. The last `exec`, which finds no match,
  // resets `lastIndex`.
  for (let match = clearable.exec(cookies); match !== null; match = clearable.exec(cookies)) {
    const { 1: advertising, 2: analytics, 3: other } = match;
    if (advertising === undefined ? allowed.analytics : allowed.marketing) continue;
    const name = advertising ?? analytics ?? other ?? "";
    const names = other === undefined ? forbidden : others;
    if (names.length < maxNames && !names.includes(name)) names.push(name);
  }
  return others.length === 0 ? forbidden : [...forbidden, ...others].slice(0, maxNames);
}

/**
 * Lists this host without a `Domain` attribute, then `Domain` attributes for it and its parents. Browsers ignore
 * domains that this host may not set.
 */
function listDomains(hostname: string): string[] {
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || !hostname.includes(".")) return [""];
  const labels = hostname.split(".");
  const parents = labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
  return ["", ...parents.slice(-maxParentDomains).map((domain) => `; Domain=${domain}`)];
}

/**
 * Returns the first folder: "a" for "/a/b". Returns "" if there is no folder, or if it has characters that are unsafe
 * in a header.
 */
function folderOf(address: string): string {
  return /^\/([\w.~-]{1,100})(?:[/?#]|$)/.exec(address)?.[1] ?? "";
}
