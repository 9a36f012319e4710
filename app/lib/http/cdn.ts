/** A content delivery network, identified by the headers that it adds. */
export interface Cdn {
  name: string;
  /** header that is always present */
  mark: string;
  /** header with the visitor's address as the CDN saw it; null if the CDN sends none by default */
  client: string | null;
}

/** CDNs that the site recognizes, according to their documentation. */
export const cdns: readonly Cdn[] = [
  { name: "Cloudflare", mark: "cf-ray", client: "cf-connecting-ip" },
  { name: "Fastly", mark: "fastly-ff", client: "fastly-client-ip" },
  { name: "Azure Front Door", mark: "x-azure-ref", client: "x-azure-socketip" },
  { name: "Amazon CloudFront", mark: "x-amz-cf-id", client: null },
  { name: "Akamai", mark: "akamai-origin-hop", client: null },
];

/** Finds the CDN that a request claims to have passed. Anyone can forge these headers. */
export function findCdn(headers: Record<string, unknown>): Cdn | null {
  for (const cdn of cdns)
    if (headers[cdn.mark] !== undefined || (cdn.client !== null && headers[cdn.client] !== undefined)) return cdn;
  return null;
}
