/** What a page brings along that its policy must allow; nothing for everything that is no page. */
export interface PageSources {
  /** of a page that runs scripts; without it no script may run at all */
  scriptNonce?: string;
  /** the page loads a script file of ours, but none that needs a nonce */
  ownScripts?: boolean;
  /** base64 SHA-256 of a stylesheet within the page */
  inlineStyleHash?: string;
}

/**
 * The security headers of every response, static files and errors included.
 *
 * `strict-origin-when-cross-origin`, not `no-referrer`: the latter makes browsers send `Origin: null` with form posts,
 * and the same-origin guard would refuse every visitor without scripts.
 */
export function securityHeaders({ isHttps, ...page }: PageSources & { isHttps: boolean }): Record<string, string> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(page, isHttps),
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

function contentSecurityPolicy({ scriptNonce, ownScripts, inlineStyleHash }: PageSources, isHttps: boolean): string {
  // 'self' beside the nonce: module preload links carry no nonce.
  const scripts = scriptNonce === undefined ? (ownScripts ? "'self'" : "'none'") : `'self' 'nonce-${scriptNonce}'`;
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src 'self'${inlineStyleHash === undefined ? "" : ` 'sha256-${inlineStyleHash}'`}`,
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
