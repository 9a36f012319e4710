/**
 * Adds `no-transform` to what `Cache-Control` says (RFC 9111, 5.2.2.6). A CDN else rewrites pages on their way: Cloudflare
 * replaces every email address by "[email protected]" and a script that the content security policy keeps out.
 */
export function forbidTransform(headers: Headers): void {
  if (!headers.get("Cache-Control")?.includes("no-transform")) headers.append("Cache-Control", "no-transform");
}
