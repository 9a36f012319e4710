/** What of a response changes its headers. */
export interface SecurityHeaderOptions {
  isHttps: boolean;
  /** the nonce of a page that runs scripts; null: no script may run at all */
  scriptNonce: string | null;
}

/**
 * The security headers of every response, static files and errors included.
 *
 * `strict-origin-when-cross-origin`, not `no-referrer`: the latter makes browsers send `Origin: null` with form posts,
 * and the same-origin guard would refuse every visitor without scripts.
 */
export function securityHeaders({ isHttps, scriptNonce }: SecurityHeaderOptions): Record<string, string> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(scriptNonce, isHttps),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy":
      "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Origin-Agent-Cluster": "?1",
    ...(isHttps ? { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } : {}),
  };
}

function contentSecurityPolicy(scriptNonce: string | null, isHttps: boolean): string {
  return [
    "default-src 'none'",
    // 'self' beside the nonce: module preload links carry no nonce.
    `script-src ${scriptNonce === null ? "'none'" : `'self' 'nonce-${scriptNonce}'`}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(isHttps ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}
