/**
 * Adds `no-transform` to `Cache-Control` (RFC 9111, 5.2.2.6). Otherwise a CDN may rewrite pages: Cloudflare replaces
 * every email address with "[email protected]" and a script that the content security policy blocks.
 */
export function forbidTransform(headers: Headers): void {
  if (!headers.get("Cache-Control")?.includes("no-transform")) headers.append("Cache-Control", "no-transform");
}
