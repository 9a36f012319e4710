/** Headers that identify the origin of a form post. */
export interface OriginEvidence {
  /** `Origin`, sent by every current browser on a POST */
  origin: string | null;
  /** `Sec-Fetch-Site`, which page scripts cannot forge */
  fetchSite: string | null;
  /** `Host` of the request */
  host: string | null;
}

/**
 * Returns true if a post comes from our own pages. This replaces CSRF tokens (see docs/decisions): it needs no state
 * and works in a cached page. A request with neither header does not come from a browser, so it cannot abuse a
 * visitor's cookies.
 * @param siteOrigin the canonical origin, or null if every host counts as our own (local use)
 */
export function isSameOrigin(evidence: OriginEvidence, siteOrigin: string | null): boolean {
  // A browser with the policy `no-referrer` sends this even from our own pages. Sandboxed frames, `data:` URLs and
  // redirects through another site send it, too, but the browser marks those as cross-site.
  if (evidence.origin === "null") return evidence.fetchSite === "same-origin";
  if (evidence.origin !== null) return isOwnOrigin(evidence.origin, evidence.host, siteOrigin);
  if (evidence.fetchSite !== null) return evidence.fetchSite === "same-origin" || evidence.fetchSite === "none";
  return true;
}

/**
 * Returns true if a browser opens an address from one of our own pages: as after a redirect from a form, and again after
 * a reload or Back. Links in mails and on other sites do not count, nor does a request that says nothing about it.
 * Browsers send `Sec-Fetch-Site` to https and localhost; elsewhere, and from older ones, `Referer` decides.
 * @param siteOrigin as for {@link isSameOrigin}
 */
export function isFromOwnPage(
  { fetchSite, referer, host }: Pick<OriginEvidence, "fetchSite" | "host"> & { referer: string | null },
  siteOrigin: string | null,
): boolean {
  if (fetchSite !== null) return fetchSite === "same-origin";
  return referer !== null && isOwnOrigin(referer, host, siteOrigin);
}

function isOwnOrigin(origin: string, host: string | null, siteOrigin: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return siteOrigin === null ? url.host === host?.toLowerCase() : url.origin === siteOrigin;
}
