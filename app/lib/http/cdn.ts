/** A content delivery network, by the headers that it adds to what it passes on. */
export interface Cdn {
  name: string;
  /** always there */
  mark: string;
  /** holds the visitor's address as the CDN saw it; null where it sends none without being configured to */
  client: string | null;
}

/** The CDNs that are recognized, from their documentation. */
export const cdns: readonly Cdn[] = [
  { name: "Cloudflare", mark: "cf-ray", client: "cf-connecting-ip" },
  { name: "Fastly", mark: "fastly-ff", client: "fastly-client-ip" },
  { name: "Azure Front Door", mark: "x-azure-ref", client: "x-azure-socketip" },
  { name: "Amazon CloudFront", mark: "x-amz-cf-id", client: null },
  { name: "Akamai", mark: "akamai-origin-hop", client: null },
];

/** Finds the CDN that a request says it came through; anybody can write these headers. */
export function findCdn(headers: Record<string, unknown>): Cdn | null {
  for (const cdn of cdns)
    if (headers[cdn.mark] !== undefined || (cdn.client !== null && headers[cdn.client] !== undefined)) return cdn;
  return null;
}
