/** The headers by which a browser says where a form post comes from. */
export interface OriginEvidence {
  /** `Origin`, sent by every current browser on a POST */
  origin: string | null;
  /** `Sec-Fetch-Site`, which page scripts cannot forge */
  fetchSite: string | null;
  /** `Host` of the request */
  host: string | null;
}

/**
 * Whether a post comes from our own pages. This stands in for CSRF tokens (see docs/decisions): it needs no state and
 * works in a cached page. A request with neither header comes from no browser, so no visitor's cookies can be abused.
 * @param siteOrigin the canonical origin, or null where any host that the visitor typed is our own (local use)
 */
export function isSameOrigin(evidence: OriginEvidence, siteOrigin: string | null): boolean {
  // A browser that tells nobody where it comes from (`no-referrer`) writes this in our own pages' posts as well. Sandboxed
  // frames, `data:` addresses and redirects by way of another site write it too, and are cross-site to the browser.
  if (evidence.origin === "null") return evidence.fetchSite === "same-origin";
  if (evidence.origin !== null) return isOwnOrigin(evidence.origin, evidence.host, siteOrigin);
  if (evidence.fetchSite !== null) return evidence.fetchSite === "same-origin" || evidence.fetchSite === "none";
  return true;
}

function isOwnOrigin(origin: string, host: string | null, siteOrigin: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return siteOrigin === null ? url.host === host?.toLowerCase() : url.origin === siteOrigin;
}
