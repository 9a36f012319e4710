import type { HeaderReader } from "./header-reader";

/**
 * Returns true if a post comes from our own pages. This replaces CSRF tokens (see docs/decisions): it needs no state
 * and works in a cached page. A request with neither header does not come from a browser, so it cannot abuse a
 * visitor's cookies.
 * @param headers `Origin`, which every current browser sends on a POST, `Sec-Fetch-Site`, which page scripts cannot
 *   forge, and `Host`
 * @param siteOrigin the canonical origin, or null if every host counts as our own (local use)
 */
export function isSameOrigin(headers: HeaderReader, siteOrigin: string | null): boolean {
  const [origin, fetchSite] = [headers.get("origin"), headers.get("sec-fetch-site")];
  // A browser with the policy `no-referrer` sends this even from our own pages. Sandboxed frames, `data:` URLs and
  // redirects through another site send it, too, but the browser marks those as cross-site.
  if (origin === "null") return fetchSite === "same-origin";
  if (origin !== null) return isOwnOrigin(origin, headers, siteOrigin);
  if (fetchSite !== null) return fetchSite === "same-origin" || fetchSite === "none";
  return true;
}

/**
 * Returns true if a browser opens an address from one of our own pages: as after a redirect from a form, and again after
 * a reload or Back. Links in mails and on other sites do not count, nor does a request that says nothing about it.
 * Browsers send `Sec-Fetch-Site` to https and localhost; elsewhere, and from older ones, `Referer` decides.
 * @param siteOrigin as for {@link isSameOrigin}
 */
export function isFromOwnPage(headers: HeaderReader, siteOrigin: string | null): boolean {
  const [fetchSite, referer] = [headers.get("sec-fetch-site"), headers.get("referer")];
  if (fetchSite !== null) return fetchSite === "same-origin";
  return referer !== null && isOwnOrigin(referer, headers, siteOrigin);
}

function isOwnOrigin(origin: string, headers: HeaderReader, siteOrigin: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return siteOrigin === null ? url.host === headers.get("host")?.toLowerCase() : url.origin === siteOrigin;
}
